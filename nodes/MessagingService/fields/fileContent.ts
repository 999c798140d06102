import type { IBinaryData, INodeProperties } from 'n8n-workflow';

import { requestSettings, type Item } from '../engine/item';
import { fieldInfo } from '../../shared/field';
import { choices, optionsField, stringField } from '../../shared/fieldTypes';
import type { Fail } from '../../shared/failure';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { fieldsIn, isDataObject } from '../../shared/values';
import { FilePart, MultipartBody, type Content } from '../../shared/transport/multipart';
import { chosenAt } from '../engine/conversions';

const mediaTypes = choices({
	image: ['Image'],
	raw: ['File', 'Any file, even an image or a video'],
	video: ['Video'],
});

/** Declares the field with the name of the binary field that contains a file. */
export const binaryField = (details?: Partial<INodeProperties>): INodeProperties =>
	stringField('binaryPropertyName', '', {
		displayName: 'Input Binary Field',
		default: 'data',
		required: true,
		hint: 'The name of the input field containing the file',
		...details,
	});

/** The binary field of the file, and its media type. */
export const fileFields = [binaryField(), optionsField('media', mediaTypes, 'raw', 'Kind of file')];

/**
 * n8n's default timeout. If redirects are not followed, as here, axios 1.18.0 applies this timeout to the whole request,
 * including the upload.
 */
const TIMEOUT_MS = 300_000;

/** The slowest assumed connection: 1 Mbit/s. */
const SLOWEST_BYTES_PER_MS = 125;

const chosenMedia = chosenAt('media', mediaTypes);

/**
 * Returns a request body with the file of an item and the chosen media type, and the timeout of the request: the user's, or
 * one that suits the size of the file.
 *
 * @throws NodeOperationError if Media or Request Options are invalid, or the file is missing or empty
 */
export async function uploadRequest(item: Item): Promise<Pick<ApiRequest, 'body' | 'timeout'>> {
	const media = chosenMedia(item);
	const { name, type, size, open } = await fileOf(item);
	// An empty replacement would leave recipients without the file.
	if (size === 0) {
		throw fieldInfo(item, 'binaryPropertyName').fail(
			`The file "${name}" is empty`,
			'It has 0 bytes, so nothing was sent. Check the node that created it.',
		);
	}
	const file = new FilePart(name, type, size, open, RUN_AGAIN);
	const body = new MultipartBody({ media }, file);
	const { timeout = uploadTimeout(file.size) } = requestSettings(item);
	return { body, timeout };
}

/** Returns the timeout of an upload in milliseconds: n8n's default, plus the time of the upload on a slow connection. */
export function uploadTimeout(size: number): number {
	return TIMEOUT_MS + Math.ceil(size / SLOWEST_BYTES_PER_MS);
}

/** A file of an item: its name and MIME type, the number of bytes, and a function that opens its content. */
type ItemFile = { name: string; type: string; size: number; open: () => Promise<Content> };

/** Returns the file in the item's Input Binary Field. @throws if it is missing */
async function fileOf(item: Item): Promise<ItemFile> {
	const { fail } = fieldInfo(item, 'binaryPropertyName');
	const parameter = item.getNodeParameter('binaryPropertyName', 'data');
	// An expression like {{ $('Node').item.binary.data }} returns the file instead of the name of its field.
	const isFile = hasContent(parameter) && typeof parameter.mimeType === 'string';
	const binary = isFile ? parameter : fileInItem(item, parameter, fail);
	const { fileExtension, mimeType } = binary;
	// Without a file name, the service would read the part as text. The name may be a number from a Code node, although
	// n8n declares a text.
	const name =
		String(binary.fileName ?? '').trim() || (fileExtension ? `file.${fileExtension}` : 'file');
	const type = String(mimeType || 'application/octet-stream');
	return { name, type, ...(await contentOf(item, binary, name, fail)) };
}

/** What to do if n8n's storage lost a file. */
const RUN_AGAIN = 'Run the workflow again from the node that creates the file.';

/** Reads the item's file whole. @throws if it is missing */
export async function readWholeFile(item: Item): Promise<{ name: string; bytes: Buffer }> {
	const { name, open } = await fileOf(item);
	const chunks: Uint8Array[] = [];
	for await (const chunk of await open()) chunks.push(chunk);
	return { name, bytes: Buffer.concat(chunks) };
}

/** Returns the file in the binary field that the parameter names. @throws if the item has no such file */
function fileInItem(item: Item, parameter: unknown, fail: Fail): IBinaryData {
	const { binary, json } = item.getInputData();
	// n8n 2 keeps files here if the workflow's setting `binaryMode` is `combined`.
	const files: Record<string, unknown> = { ...fieldsIn(json._files), ...binary };
	const name = typeof parameter === 'string' ? parameter.trim().replace(/^_files\./, '') : '';
	const found = Object.hasOwn(files, name) ? files[name] : undefined;
	if (hasContent(found)) return found;
	const names = Object.keys(files).filter((one) => hasContent(files[one]));
	throw fail(
		name === ''
			? 'Input Binary Field must be the name of a field'
			: `The input item has no file in the binary field "${name}"`,
		names.length === 0
			? 'The item has no binary data. Connect a node that outputs a file, for example Read/Write Files from Disk or HTTP Request, and check Input Binary Field. Nothing was sent.'
			: `Set Input Binary Field to a binary field of the item: ${names.join(', ')}. Nothing was sent.`,
	);
}

/**
 * Returns the size of a file, and a function that opens its content. The content comes from the item if n8n keeps the file
 * there, otherwise from n8n's binary storage. @throws if the file is no longer in the storage
 */
async function contentOf(
	item: Item,
	{ id, data }: IBinaryData,
	name: string,
	fail: Fail,
): Promise<{ size: number; open: () => Promise<Content> }> {
	if (!id) {
		// Binary data from a Code node may lack its content.
		const bytes = () => Buffer.from(data ?? '', 'base64');
		// The data is decoded again when it is sent: the decoded files of all items at once would fill the memory.
		return { size: bytes().length, open: async () => inOnePiece(bytes()) };
	}
	const { helpers } = item;
	const metadata = await helpers.getBinaryMetadata(id).catch(() => undefined);
	if (metadata && Number.isFinite(metadata.fileSize)) {
		return { size: metadata.fileSize, open: async () => await helpers.getBinaryStream(id) };
	}
	throw fail(
		metadata
			? `n8n's storage does not know the size of the file "${name}"`
			: `The file "${name}" is no longer in n8n's storage`,
		`n8n deletes the files of old executions. ${RUN_AGAIN} Nothing was sent.`,
	);
}

/** Returns the bytes as a stream of one chunk. */
async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
	yield bytes;
}

/** Whether a binary field holds a file. It may lack its MIME type. */
function hasContent(value: unknown): value is IBinaryData {
	return isDataObject(value) && (typeof value.id === 'string' || typeof value.data === 'string');
}
