export type Media = 'raw' | 'image' | 'video';

/** An uploaded file. Its content is kept only up to a limit. */
export interface Upload {
	filename: string;
	mime: string;
	size: number;
	sha256: string;
	/** The first bytes of the file. */
	content: Buffer;
	/** The content-length header of the request, if any. */
	contentLength?: number;
	/** The transfer-encoding header of the request, for example 'chunked'. */
	transferEncoding?: string;
}

export interface StoredFile {
	readonly _id: string;
	/** The owning campaign or broadcast. */
	readonly ownerId: string;
	name: string;
	media: Media;
	draftUsed: boolean;
	activeUsed: boolean;
	upload: Upload;
	readonly createdAt: number;
	changedAt: number;
	version: number;
	versionId: string;
	storageId: string;
}
