import { createRequire } from 'node:module';
import { truncate, readFile, writeFile } from 'node:fs/promises';

import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

/** Requires a module from the folder of n8n-core, so that tests and engine share one dependency container. */
const core: (name: string) => DependencyInjection = createRequire(require.resolve('n8n-core'));

type DependencyInjection = {
	Container: { get(type: typeof BinaryDataService): BinaryDataService };
};

let started: Promise<BinaryDataService> | undefined;

/** Returns n8n's binary storage, started as n8n starts it. setup.cjs selects storage on disk. */
export async function binaryStorage(): Promise<BinaryDataService> {
	started ??= start();
	return await started;
}

async function start(): Promise<BinaryDataService> {
	const { Container } = core('@n8n/di');
	const service = Container.get(BinaryDataService);
	await service.init();
	return service;
}

/** Returns a file inside the item, as n8n stores it if binary data is kept in memory. */
export function inMemory(content: Buffer, file: Partial<IBinaryData> = {}): IBinaryData {
	return {
		mimeType: 'application/pdf',
		fileName: 'a.pdf',
		...file,
		data: content.toString('base64'),
	};
}

/** Stores a file in n8n's storage on disk. */
export async function onDisk(
	content: Buffer,
	file: Partial<IBinaryData> = {},
): Promise<IBinaryData> {
	const service = await binaryStorage();
	return await service.store(
		{ type: 'execution', workflowId: 'test-workflow', executionId: '1' },
		content,
		{ mimeType: 'application/pdf', fileName: 'a.pdf', ...file, data: '' },
	);
}

/** Stores a sparse file of this size, which takes no disk space. */
export async function sparseOnDisk(size: number): Promise<IBinaryData> {
	const binary = await onDisk(Buffer.from('0'), { fileName: 'large.bin' });
	const path = await pathOf(binary);
	await truncate(path, 0);
	await truncate(path, size);
	await setSizeInStorage(binary, size);
	return binary;
}

/** Returns the path of a file in n8n's storage. */
export async function pathOf({ id }: IBinaryData): Promise<string> {
	if (!id) throw new Error('The file is not in the storage');
	return (await binaryStorage()).getPath(id);
}

/** Changes the recorded size of a file in n8n's storage. */
export async function setSizeInStorage(binary: IBinaryData, fileSize: number): Promise<void> {
	const path = `${await pathOf(binary)}.metadata`;
	const metadata: unknown = JSON.parse(await readFile(path, 'utf8'));
	await writeFile(path, JSON.stringify(Object.assign({}, metadata, { fileSize })));
}
