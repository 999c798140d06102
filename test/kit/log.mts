import { LoadOptionsContext } from 'n8n-core';
import { Workflow, type Logger } from 'n8n-workflow';

import { additionalData, loadPackage, nodeOf } from './engine.mts';
import { TestCredentialsHelper } from './credentials.mts';

/** What n8n's log was told. */
export type Log = { readonly lines: unknown[]; clear(): void };

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;

/** Records n8n's log during a test file; all nodes write to the same log. */
export function watchLog(): Log {
	const lines: unknown[] = [];
	beforeAll(async () => {
		const logger = await loggerOfNodes();
		for (const level of LEVELS) {
			jest.spyOn(logger, level).mockImplementation((...told) => void lines.push(told));
		}
	});
	return { lines, clear: () => void lines.splice(0) };
}

async function loggerOfNodes(): Promise<Logger> {
	const { nodeTypes, credentialType } = await loadPackage();
	const node = nodeOf('messagingService', {});
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const data = additionalData(new TestCredentialsHelper(credentialType, {}));
	return new LoadOptionsContext(workflow, node, data, '').logger;
}
