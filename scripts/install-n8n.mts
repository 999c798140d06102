import { installN8n } from '../sandbox/n8n/install-n8n.mts';

// Installs n8n while other work goes on; end-to-end tests need it later.
await installN8n('2');
