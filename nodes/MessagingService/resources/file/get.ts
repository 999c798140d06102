import { fileId } from '../../fields/locators';
import { simpleFile, simplifiedBy, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/operation';
import type { FileParent } from './parent';

/** GET /int/v1/campaign/:id/file/:fileId and the same endpoint of broadcasts */
export const get = ({ name, locator }: FileParent): Operation => ({
	name: 'Get',
	value: 'get',
	action: `Get file of ${name}`,
	description: `Retrieve the details of a file of a ${name}`,
	endpoint: ['GET', `/int/v1/${name}/:${name}Id/file/:fileId`],
	...simplifiedBy(simpleFile),
	fields: [locator, fileId, simplify],
});
