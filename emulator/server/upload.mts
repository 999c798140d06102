import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { MultipartFile } from '@fastify/multipart';
import type { Media, Upload } from '../state/files.mts';
import { ContractViolation } from './failure.mts';

/** What of an upload goes into the log of requests. */
export type UploadSummary = Omit<Upload, 'content'>;

/** The body of a file operation once the stream has been read; validated by the contract. */
export interface FileUploadBody {
	file: Upload;
	media?: Media;
}

/** More than this of a file's content is counted and hashed, but not kept. */
const contentKept = 1024 * 1024;

/**
 * Clients that follow the browsers write a quote and line breaks in a file name as these three escapes and
 * nothing else; other names are UTF-8 or RFC 5987 and have been decoded by the parser.
 */
function decodedFilename(filename: string): string {
	return filename.replace(/%22/g, '"').replace(/%0D/g, '\r').replace(/%0A/g, '\n');
}

async function readFile(part: MultipartFile, request: FastifyRequest): Promise<Upload> {
	const hash = createHash('sha256');
	const kept: Buffer[] = [];
	let keptBytes = 0;
	let size = 0;
	const chunks: AsyncIterable<unknown> = part.file;
	for await (const bytes of chunks) {
		if (!Buffer.isBuffer(bytes)) throw new Error('A file comes in bytes');
		hash.update(bytes);
		size += bytes.length;
		if (keptBytes < contentKept) {
			// A copy, because the chunk is a slice of the larger buffer that was read from the socket.
			const slice = Buffer.from(bytes.subarray(0, contentKept - keptBytes));
			kept.push(slice);
			keptBytes += slice.length;
		}
	}
	const length = request.headers['content-length'];
	const encoding = request.headers['transfer-encoding'];
	return {
		filename: decodedFilename(part.filename),
		mime: part.mimetype,
		encoding: part.encoding,
		size,
		sha256: hash.digest('hex'),
		content: Buffer.concat(kept),
		contentComplete: size <= contentKept,
		...(length !== undefined && { contentLength: Number(length) }),
		...(encoding !== undefined && { transferEncoding: encoding }),
	};
}

/** Reads a multipart body as a stream: size and hash are taken on the way (openapi.yaml, campaignFile.upload). */
export async function readMultipart(
	request: FastifyRequest,
): Promise<{ file?: Upload; [field: string]: unknown }> {
	const body: { file?: Upload; [field: string]: unknown } = {};
	for await (const part of request.parts()) {
		if (Object.hasOwn(body, part.fieldname)) {
			// The rest of the body is not read: the connection is given up with the response.
			throw new ContractViolation(
				`${part.fieldname} was sent twice`,
				`body has the part "${part.fieldname}" twice`,
			);
		}
		if (part.type === 'file') {
			const upload = await readFile(part, request);
			if (part.fieldname !== 'file') body[part.fieldname] = upload.filename;
			else body.file = upload;
		} else if (part.fieldname === 'file') {
			throw new ContractViolation('file must be a file', 'body/file is a text field, not a file');
		} else {
			body[part.fieldname] = part.value;
		}
	}
	return body;
}

/** What is known of a file, without its content. */
export function uploadSummary(upload: Upload): UploadSummary {
	const { content: _content, ...summary } = upload;
	return summary;
}
