import { simpleFile, simplified, simplify } from '../../fields/simplify';
import { limit, list, returnAll } from '../../engine/list';
import type { Operation } from '../../engine/operation';
import { filesAt } from '../../../shared/lists/lists';
import type { FileParent } from './parent';

/** GET /int/v1/campaign/:id/file and the same endpoint of broadcasts: files in alphabetical order. */
export const getAll = ({ name, locator }: FileParent): Operation => ({
	action: `Get many files of ${name}`,
	description: `Retrieve a list of the files of a ${name}, sorted by name`,
	...list(filesAt(`/int/v1/${name}/:${name}Id/file`), simplified(simpleFile)),
	fields: [locator, returnAll, limit, simplify],
});
