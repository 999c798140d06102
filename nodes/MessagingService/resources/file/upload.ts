import type { Operation } from '../../engine/operation';
import type { FileParent } from './parent';
import { contentFields, upload } from './uploadFile';

/** POST /int/v1/campaign/:id/file and the same endpoint of broadcasts: returns the new file. */
export const uploadFile = ({ name, locator }: FileParent): Operation => ({
	name: 'Upload',
	value: 'upload',
	action: `Upload file to ${name}`,
	description: `Upload a file to a ${name}`,
	endpoint: ['POST', `/int/v1/${name}/:${name}Id/file`],
	upload,
	fields: [locator, ...contentFields],
});
