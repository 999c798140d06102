import { fileId } from '../../fields/locators';
import type { Operation } from '../../engine/operation';
import type { FileParent } from './parent';
import { contentFields, upload } from './uploadFile';

/**
 * POST /int/v1/campaign/:id/file/:fileId and the same endpoint of broadcasts: adds a version and returns the changed file.
 */
export const replace = ({ name, locator }: FileParent): Operation => ({
	name: 'Replace',
	value: 'replace',
	action: `Replace file of ${name}`,
	description: `Replace a file of a ${name} with a new version`,
	endpoint: ['POST', `/int/v1/${name}/:${name}Id/file/:fileId`],
	upload,
	fields: [locator, fileId, ...contentFields],
});
