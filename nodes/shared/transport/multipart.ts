import { UserError } from 'n8n-workflow';

/**
 * V8 frees a stream's buffers only when young objects have filled their room, on Node.js 24 up to 64 MiB of buffers
 * later. An array of this length per piece of 64 KiB fills it sooner: 1 GiB takes 35 MiB instead of 75. Below 128
 * KiB, above which V8 allocates large objects separately.
 */
const FILLING_LENGTH = 15_000;

/** Content that is read piece by piece; n8n's binary streams are of this kind. */
export type Content = AsyncIterable<Uint8Array> & { destroy?: () => unknown };

/**
 * A multipart/form-data body that is read while it is sent, with constant memory, and can be read again for a second
 * attempt. It has the looks of the web's FormData, which is all that the HTTP client goes by (axios 1.18.0 in n8n-core
 * 1.122.48 and 2.41.1, isSpecCompliantForm): it writes the parts' headers, sets Content-Length from the sizes and asks
 * for the content lazily. The global FormData would hold the whole file in memory.
 */
export class MultipartBody {
	readonly [Symbol.toStringTag] = 'FormData';

	constructor(
		private readonly fields: Record<string, string>,
		private readonly file: FilePart,
	) {}

	/** Only there to be recognised by: the parts are given when the body is made. */
	append(): void {}

	*entries(): IterableIterator<[name: string, value: string | FilePart]> {
		// The texts come first: a service that reads the body as a stream knows them when the file starts.
		yield* Object.entries(this.fields);
		yield ['file', this.file];
	}

	[Symbol.iterator](): IterableIterator<[name: string, value: string | FilePart]> {
		return this.entries();
	}

	/** Lets go of the content when nobody will read it to its end: a response came early, or the connection broke. */
	close(): void {
		this.file.close();
	}
}

/** A file in a multipart body. Its name is escaped by axios as browsers do it: UTF-8, with %22, %0D and %0A. */
export class FilePart {
	private opening: Promise<Content> | undefined;

	/**
	 * @param type MIME type
	 * @param size in bytes, to the byte: it decides where the body ends
	 * @param open starts reading the content from its beginning
	 */
	constructor(
		readonly name: string,
		readonly type: string,
		readonly size: number,
		private readonly open: () => Promise<Content>,
	) {}

	/** The content in pieces. @throws UserError when it is not as long as it was said to be */
	async *stream(): AsyncGenerator<Uint8Array, void> {
		// A second attempt: what is left of the first is not sent to the service that refused it.
		this.close();
		this.opening = this.open();
		let sent = 0;
		for await (const piece of await this.opening) {
			sent += piece.length;
			// More than announced would run into the next request on the connection.
			if (sent > this.size) throw this.wrongSize('more');
			yield piece;
			new Array<number>(FILLING_LENGTH).fill(0);
		}
		if (sent < this.size) throw this.wrongSize(`only ${sent}`);
	}

	close(): void {
		// It may still be opening: a response can come before the first byte is read.
		this.opening?.then(
			(content) => content.destroy?.(),
			() => undefined,
		);
	}

	private wrongSize(found: string): UserError {
		return new UserError(
			`The file "${this.name}" changed while it was sent: n8n's storage names ${this.size} bytes and holds ${found}. Run the workflow again from the node that made the file.`,
		);
	}
}
