import type { IBinaryData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Item } from '../../runner/item';
import { fieldAt } from '../../../shared/field';
import type { Fail } from '../../../shared/failure';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { isDataObject } from '../../../shared/typeGuards';
import { FilePart, MultipartBody, type Content } from '../../../shared/transport/multipart';
import { chosenAt } from '../../operations/conversions';

const media: INodePropertyOptions[] = [
	{ name: 'Image', value: 'image', description: 'A picture shown in the content' },
	{ name: 'Raw', value: 'raw', description: 'A file of any kind, stored unchanged' },
	{ name: 'Video', value: 'video', description: 'A video played in the content' },
];

/** What the file is taken from and what the service takes it for. */
export const contentFields: INodeProperties[] = [
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		hint: 'The name of the input field containing the file',
		description: "Name of the input's binary field that contains the file",
	},
	{
		displayName: 'Media',
		name: 'media',
		type: 'options',
		options: media,
		default: 'raw',
		description: 'How the service treats the file',
	},
];

/** n8n's own limit for a request, which counts the whole upload (axios 1.18.0 without redirects). */
const TIMEOUT_MS = 300_000;

/** A line of 1 Mbit/s is taken for the slowest: 125 bytes a millisecond. */
const SLOWEST_BYTES_PER_MS = 125;

/**
 * The file of an item and its media as a body, to be streamed from where n8n keeps it.
 *
 * @throws NodeOperationError when Media is none of its choices, or the item has no such file, or an empty one
 */
export async function upload(item: Item): Promise<Pick<ApiRequest, 'body' | 'timeout'>> {
	const kind = chosenAt(item, 'media', 'raw', media);
	const file = await fileOf(item);
	const body = new MultipartBody({ media: kind }, file);
	const options: unknown = item.getNodeParameter('requestOptions', {});
	if (isDataObject(options) && options.timeout) return { body };
	return { body, timeout: uploadTimeout(file.size) };
}

/** How long an upload may take in milliseconds, unless the builder says so: n8n's own limit and time for the bytes. */
export function uploadTimeout(size: number): number {
	return TIMEOUT_MS + Math.ceil(size / SLOWEST_BYTES_PER_MS);
}

async function fileOf(context: Item): Promise<FilePart> {
	const { fail } = fieldAt(context, 'binaryPropertyName');
	const parameter = context.getNodeParameter('binaryPropertyName', 'data');
	const binary = isBinaryData(parameter) ? parameter : binaryField(context, parameter, fail);
	const name = binary.fileName?.trim() || nameWithout(binary);
	const { size, open } = await contentOf(context, binary, name, fail);
	// What the service does with nothing is not shown, and a replacement would leave recipients with it.
	if (size === 0) {
		throw fail(
			`The file "${name}" is empty`,
			'It has 0 bytes, so nothing was sent. Check the node that made it.',
		);
	}
	return new FilePart(name, binary.mimeType || 'application/octet-stream', size, open);
}

function binaryField(context: Item, parameter: unknown, fail: Fail): IBinaryData {
	const name = typeof parameter === 'string' ? parameter.trim() : '';
	try {
		return context.helpers.assertBinaryData(name);
	} catch {
		throw noFile(context, name, fail);
	}
}

function noFile(context: Item, name: string, fail: Fail): Error {
	const names = Object.keys(context.getInputData().binary ?? {});
	const message =
		name === ''
			? 'Input Binary Field does not name a field'
			: `The input item has no file in the binary field "${name}"`;
	return fail(
		message,
		names.length > 0
			? `Set Input Binary Field to one that the item has: ${names.join(', ')}. Nothing was sent.`
			: 'The item has no binary data at all. Connect a node that gives a file, for example Read/Write Files from Disk or HTTP Request, and check Input Binary Field. Nothing was sent.',
	);
}

/** From n8n's binary storage as a stream where n8n keeps files outside the item, otherwise from the item itself. */
async function contentOf(
	{ helpers }: Item,
	{ id, data }: IBinaryData,
	name: string,
	fail: Fail,
): Promise<{ size: number; open: () => Promise<Content> }> {
	if (!id) {
		// Data that a Code node put together may lack its content.
		const bytes = Buffer.from(data ?? '', 'base64');
		return { size: bytes.length, open: async () => inOnePiece(bytes) };
	}
	let size: number;
	try {
		({ fileSize: size } = await helpers.getBinaryMetadata(id));
	} catch {
		throw fail(
			`The file "${name}" is no longer in n8n's storage`,
			'n8n deletes the files of old executions. Run the workflow again from the node that made the file. Nothing was sent.',
		);
	}
	return { size, open: async () => await helpers.getBinaryStream(id) };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
	yield bytes;
}

/** Without a file name the service would take the part for a text. */
function nameWithout({ fileExtension }: IBinaryData): string {
	return fileExtension ? `file.${fileExtension}` : 'file';
}

/** An expression like {{ $('Node').item.binary.data }} gives the file itself instead of its field's name. */
function isBinaryData(value: unknown): value is IBinaryData {
	return (
		isDataObject(value) &&
		typeof value.mimeType === 'string' &&
		(typeof value.id === 'string' || typeof value.data === 'string')
	);
}
