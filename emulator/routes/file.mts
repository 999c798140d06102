import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { ContractViolation, messages, ServiceFailure } from '../server/failure.mts';
import type { FileUploadBody } from '../server/upload.mts';
import type { Sendable } from '../state/campaign.mts';
import type { StoredFile } from '../state/files.mts';
import type { OrderedStore } from '../state/orderedStore.mts';
import { done, ok, okList, type IdParams, type OnRecord } from './envelope.mts';
import { findRecord } from './paging.mts';
import { fileShape } from './shapes.mts';

type FileParams = IdParams & { fileId: string };

/** Returns the file operations of campaigns, or those of broadcasts. */
function operationsFor(context: Context, kind: 'campaign' | 'broadcast') {
	const owner = (request: { params: IdParams }): Sendable => {
		const { campaigns, broadcasts } = context.state;
		const store: OrderedStore<Sendable> = kind === 'campaign' ? campaigns : broadcasts;
		return findRecord(store, request, messages.campaignIdRequired);
	};
	const find = (request: { params: FileParams }): StoredFile => {
		const record = owner(request);
		const file = context.state.files.get(request.params.fileId);
		if (file === undefined || file.ownerId !== record._id)
			throw new ServiceFailure('File not found');
		return file;
	};
	const storageId = (...parts: unknown[]): string =>
		createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);
	const checked = (body: FileUploadBody): FileUploadBody => {
		// The contract requires `file`, but cannot require that this part is a file.
		if (typeof body.file !== 'object')
			throw new ContractViolation('file is mandatory', 'no file part');
		return body;
	};
	/** Returns the fields of a file that a new version replaces. */
	const versionOf = (_id: string, version: number, body: FileUploadBody) => {
		const { file: upload, media = 'raw' } = checked(body);
		return {
			...{ name: upload.filename, media, upload, version },
			changedAt: context.clock.now(),
			versionId: storageId(_id, version),
			storageId: storageId(_id, upload.sha256),
		};
	};

	return {
		getAll: (request: OnRecord) => {
			const { _id } = owner(request);
			const files = context.state.files.values().filter(({ ownerId }) => ownerId === _id);
			files.sort((a, b) => a.name.localeCompare(b.name, 'en'));
			return okList(context, files.map(fileShape));
		},

		get: (request: FastifyRequest<{ Params: FileParams }>) => ok(fileShape(find(request))),

		upload: (request: OnRecord<FileUploadBody>) => {
			const { _id: ownerId } = owner(request);
			const _id = context.state.ids.next();
			const file = context.state.files.add({
				...{ _id, ownerId, draftUsed: false, activeUsed: false },
				createdAt: context.clock.now(),
				...versionOf(_id, 0, request.body),
			});
			return ok(fileShape(file));
		},

		replace: (request: FastifyRequest<{ Params: FileParams; Body: FileUploadBody }>) => {
			const file = find(request);
			Object.assign(file, versionOf(file._id, file.version + 1, request.body));
			return ok(fileShape(file));
		},

		delete: (
			request: FastifyRequest<{
				Params: FileParams;
				Querystring: { deleteFileInUse?: 'true' | 'false' };
			}>,
		) => {
			const file = find(request);
			const inUse = file.draftUsed || file.activeUsed;
			if (inUse && request.query.deleteFileInUse !== 'true') {
				throw new ServiceFailure(messages.fileInUse);
			}
			context.state.files.delete(file._id);
			return done;
		},
	};
}

/** Returns the file operations of campaigns and broadcasts (openapi.yaml, campaignFile, broadcastFile). */
export function fileOperations(context: Context): object {
	return Object.fromEntries(
		(['campaign', 'broadcast'] as const).flatMap((kind) =>
			Object.entries(operationsFor(context, kind)).map(([operation, handler]) => [
				`${kind}File.${operation}`,
				handler,
			]),
		),
	);
}
