import { buildPackage } from './package/build-package.mts';

// Later starts of the local n8n use this package, so they do not build while tests read the build.
await buildPackage();
