// Writes the parts of the documentation that the package itself tells; needs `npm run build`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { ICredentialType, INodeType } from 'n8n-workflow';

import { documents, REFERENCE } from './docs/documents.mts';

type New<Type> = new () => Type;

const load: <Module>(path: string) => Module = createRequire(import.meta.url);

const { MessagingService } = load<{ MessagingService: New<INodeType> }>(
	'../dist/nodes/MessagingService/MessagingService.node.js',
);
const { MessagingServiceTrigger } = load<{ MessagingServiceTrigger: New<INodeType> }>(
	'../dist/nodes/MessagingServiceTrigger/MessagingServiceTrigger.node.js',
);
const { MessagingServiceApi } = load<{ MessagingServiceApi: New<ICredentialType> }>(
	'../dist/credentials/MessagingServiceApi.credentials.js',
);

const pages = documents({
	node: new MessagingService(),
	trigger: new MessagingServiceTrigger(),
	credential: new MessagingServiceApi(),
});
// A page of a resource that is no more goes, too.
rmSync(REFERENCE, { recursive: true, force: true });
mkdirSync(REFERENCE, { recursive: true });
for (const [path, text] of pages) writeFileSync(path, text);
console.log(`✓ ${pages.size} pages`);
