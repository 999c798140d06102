import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { MultipartFile } from '@fastify/multipart';
import type { Media, Upload } from '../state/files.mts';
import { ContractViolation } from './failure.mts';

/** The parsed body of a file operation. */
export interface FileUploadBody {
	file: Upload;
	media?: Media;
}

/**
 * Decodes the three escapes that browsers use in file names for a quote and line breaks. The multipart parser has already
 * decoded UTF-8 and RFC 5987.
 */
const decodedFilename = (filename: string): string =>
	filename.replace(/%(?:22|0D|0A)/g, (escape) => decodeURIComponent(escape));

async function readFile(part: MultipartFile, request: FastifyRequest): Promise<Upload> {
	const hash = createHash('sha256');
	let size = 0;
	const chunks: AsyncIterable<unknown> = part.file;
	for await (const bytes of chunks) {
		if (!Buffer.isBuffer(bytes)) throw new Error('A file must consist of bytes');
		hash.update(bytes);
		size += bytes.length;
	}
	const length = request.headers['content-length'];
	const encoding = request.headers['transfer-encoding'];
	return {
		filename: decodedFilename(part.filename),
		mime: part.mimetype,
		size,
		sha256: hash.digest('hex'),
		...(length !== undefined && { contentLength: Number(length) }),
		...(encoding !== undefined && { transferEncoding: encoding }),
	};
}

/**
 * Reads a multipart body as a stream (openapi.yaml, campaignFile.upload).
 *
 * @throws ContractViolation if a part occurs twice, or if `file` is not a file
 */
export async function readMultipart(
	request: FastifyRequest,
): Promise<{ file?: Upload; [field: string]: unknown }> {
	const body: { file?: Upload; [field: string]: unknown } = {};
	for await (const part of request.parts()) {
		if (Object.hasOwn(body, part.fieldname)) {
			// The emulator does not read the rest of the body. The response closes the connection.
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
