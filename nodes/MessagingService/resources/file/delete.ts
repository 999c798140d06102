import { switchFilter } from '../../../shared/filters';
import { options } from '../../fields/collections';
import { deleted } from '../../engine/output';
import { inQuery } from '../../engine/conversions';
import { fileId } from '../../fields/locators';
import type { Operation } from '../../engine/operation';
import type { FileParent } from './parent';

const fileInUse = options([
	{
		displayName: 'Delete File in Use',
		name: 'deleteFileInUse',
		type: 'boolean',
		default: false,
		description:
			'Whether to delete the file even if the content uses it. If off, the operation fails if the content uses the file.',
		routing: inQuery('deleteFileInUse', switchFilter),
	},
]);

/** DELETE /int/v1/campaign/:id/file/:fileId and the same endpoint of broadcasts */
export const deleteFile = ({ name, locator }: FileParent): Operation => ({
	name: 'Delete',
	value: 'delete',
	action: `Delete file of ${name}`,
	description: `Delete a file of a ${name}`,
	endpoint: ['DELETE', `/int/v1/${name}/:${name}Id/file/:fileId`],
	toItems: deleted,
	fields: [locator, fileId, fileInUse],
});
