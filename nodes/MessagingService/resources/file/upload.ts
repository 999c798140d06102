import type { Operation } from '../../operations/operation';
import type { FileParent } from './parent';
import { contentFields, sendFile } from './sendFile';

/** POST /int/v1/campaign/:id/file and its twin for broadcasts; gives the new file. */
export const upload = ({ name, locator }: FileParent): Operation => ({
	name: 'Upload',
	value: 'upload',
	action: `Upload file to ${name}`,
	description: `Upload a file to a ${name}`,
	endpoint: ['POST', `/int/v1/${name}/:${name}Id/file`],
	preSend: [sendFile],
	fields: [locator, ...contentFields],
});
