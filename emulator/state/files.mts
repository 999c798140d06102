export type Media = 'raw' | 'image' | 'video';

/** An uploaded file, without its content. */
export interface Upload {
	filename: string;
	mime: string;
	size: number;
	sha256: string;
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
