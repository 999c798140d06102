import { UserError } from 'n8n-workflow';

import { messageOf } from '../failure';

/**
 * V8 frees a stream's buffers only when the young generation is full. On Node.js 24, up to 64 MiB of buffers can pile up.
 * An array of this length per 64 KiB chunk fills the young generation sooner. An upload of 1 GiB then takes 35 MiB of
 * memory instead of 75 MiB. The array stays below 128 KiB, because V8 allocates larger objects separately.
 */
const FILLING_LENGTH = 15_000;

/** Content that is read in chunks, such as n8n's binary streams. */
export type Content = AsyncIterable<Uint8Array> & { destroy?: () => unknown };

/**
 * A multipart/form-data body that is streamed with constant memory, and can be read again for a second attempt. The HTTP
 * client recognizes the body because it has the interface of the web's FormData (isSpecCompliantForm of axios 1.18.0 in
 * n8n-core 1.122.48 and 2.41.1). The client writes the parts' headers, sets Content-Length from the sizes and reads the
 * content lazily. The global FormData would hold the whole file in memory.
 */
export class MultipartBody {
	readonly [Symbol.toStringTag] = 'FormData';

	constructor(
		private readonly fields: Record<string, string>,
		readonly file: FilePart,
	) {}

	/** Exists only so that the client recognizes the body. The constructor takes the parts. */
	append(): void {}

	*entries(): IterableIterator<[name: string, value: string | FilePart]> {
		// The text fields come first, for a service that reads the body as a stream.
		yield* Object.entries(this.fields);
		yield ['file', this.file];
	}

	[Symbol.iterator](): IterableIterator<[name: string, value: string | FilePart]> {
		return this.entries();
	}
}

/** A file in a multipart body. axios escapes its name as browsers do: UTF-8, with %22, %0D and %0A. */
export class FilePart {
	private opening: Promise<Content> | undefined;
	/** Why the content could not be read whole. n8n 1 does not keep it in the error of the request. */
	error: UserError | undefined;

	/**
	 * @param type MIME type
	 * @param size exact number of bytes: it determines where the body ends
	 * @param open opens the content at its beginning
	 * @param advice what to do if the content cannot be read
	 */
	constructor(
		readonly name: string,
		readonly type: string,
		readonly size: number,
		private readonly open: () => Promise<Content>,
		private readonly advice: string,
	) {}

	/** Yields the content in chunks. @throws UserError if its length is not `size` */
	async *stream(): AsyncGenerator<Uint8Array, void> {
		// A second attempt reads from the start, so the content that the first attempt left open is closed.
		this.close();
		this.error = undefined;
		let sent = 0;
		for await (const chunk of this.content()) {
			sent += chunk.length;
			// Surplus bytes would run into the next request on the connection.
			if (sent > this.size) throw this.wrongSize('more');
			yield chunk;
			new Array<number>(FILLING_LENGTH).fill(0);
		}
		if (sent < this.size) throw this.wrongSize(`only ${sent}`);
	}

	/** Yields the content. @throws UserError if the storage fails: without the whole file, the service does nothing */
	private async *content(): AsyncGenerator<Uint8Array, void> {
		try {
			this.opening = this.open();
			yield* await this.opening;
		} catch (error) {
			throw this.failed(`could not be read from n8n's storage: ${messageOf(error)}`);
		}
	}

	/**
	 * Closes the content if it was not read to its end: the response came early, or the connection broke. It may still be
	 * opening: a response can arrive before the first byte is read.
	 */
	close(): void {
		this.opening?.then(
			(content) => content.destroy?.(),
			() => undefined,
		);
	}

	private wrongSize(found: string): UserError {
		return this.failed(
			`changed while it was sent: n8n's storage announced ${this.size} bytes but contains ${found}`,
		);
	}

	/** Returns the error of the file, and keeps it. @param what completes "The file …" */
	private failed(what: string): UserError {
		this.error = new UserError(`The file "${this.name}" ${what}. ${this.advice}`);
		return this.error;
	}
}
