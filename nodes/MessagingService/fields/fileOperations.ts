import { inQuery, toSwitchText } from '../engine/conversions';
import type { Resource } from '../engine/declaration';
import { deleted } from '../engine/output';
import { switchedOff } from '../../shared/fieldTypes';
import { filesAt } from '../lists/lists';
import { options } from './collections';
import { fileFields, uploadRequest } from './fileContent';
import { getMany } from './getMany';
import { broadcastId, campaignId, fileId } from './locators';
import { simplifyFile, simplifiedBy, simplify } from './simplify';

const fileInUse = options([
	switchedOff(
		'deleteFileInUse',
		'Whether to delete the file even if the content uses it. If this is off and the content uses the file, the operation fails.',
		{ routing: inQuery('deleteFileInUse', toSwitchText) },
	),
]);

/**
 * Returns the operations on the files of a campaign or a broadcast. Both have the same endpoints (broadcastFile.upload in
 * emulator/openapi.yaml).
 *
 * @param name the kind of record, as in the path `/int/v1/campaign/:campaignId/file`
 */
export function fileOperations(name: 'campaign' | 'broadcast'): Resource {
	const locator = name === 'campaign' ? campaignId : broadcastId;
	const files = `/int/v1/${name}/:${name}Id/file`;
	return {
		delete: {
			action: `Delete file of ${name}`,
			description: `Delete a file of a ${name}`,
			endpoint: ['DELETE', `${files}/:fileId`],
			toItems: deleted,
			fields: [locator, fileId, fileInUse],
		},
		get: {
			action: `Get file of ${name}`,
			description: `Retrieve the details of a file of a ${name}`,
			endpoint: ['GET', `${files}/:fileId`],
			...simplifiedBy(simplifyFile),
			fields: [locator, fileId, simplify],
		},
		getAll: {
			...getMany(filesAt(files), `Retrieve a list of the files of a ${name}, sorted by name`, {
				above: [locator],
				simple: simplifyFile,
			}),
			action: `Get many files of ${name}`,
		},
		replace: {
			action: `Replace file of ${name}`,
			description: `Replace a file of a ${name} with a new version`,
			endpoint: ['POST', `${files}/:fileId`],
			uploadRequest,
			fields: [locator, fileId, ...fileFields],
		},
		upload: {
			action: `Upload file to ${name}`,
			description: `Upload a file to a ${name}`,
			endpoint: ['POST', files],
			uploadRequest,
			fields: [locator, ...fileFields],
		},
	};
}
