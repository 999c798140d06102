import { inQuery, toSwitchText } from '../engine/conversions';
import type { Resource } from '../engine/declaration';
import { deleted } from '../engine/output';
import { switchedOff } from '../../shared/fieldTypes';
import { filesAt } from '../lists/locatorLists';
import { options } from './collections';
import { fileFields, uploadRequest } from './fileContent';
import { getMany } from './getMany';
import { broadcastId, campaignId, fileId } from './locators';
import { simplifyFile, simplifiedBy, simplify } from './simplify';

const fileInUse = options([
	switchedOff(
		'deleteFileInUse',
		'Whether to delete the file even if the campaign or broadcast uses it. If off, the operation fails for a file in use.',
		{ routing: inQuery('deleteFileInUse', toSwitchText) },
	),
]);

/**
 * Returns the operations on the files of a campaign or a broadcast. Both have the same endpoints (broadcastFile.upload in
 * emulator/openapi.yaml).
 *
 * @param kind the kind of record that has the files, as in the path `/int/v1/campaign/:campaignId/file`
 */
export function fileOperations(kind: 'campaign' | 'broadcast'): Resource {
	const locator = kind === 'campaign' ? campaignId : broadcastId;
	const files = `/int/v1/${kind}/:${kind}Id/file`;
	return {
		upload: {
			action: `Upload file to ${kind}`,
			description: `Upload a file to a ${kind}${kind === 'campaign' ? '' : '. In the output, "campaignId" is the ID of the broadcast.'}`,
			endpoint: ['POST', files],
			uploadRequest,
			fields: [locator, ...fileFields],
		},
		getAll: {
			...getMany(filesAt(files), `Retrieve a list of a ${kind}'s files, sorted by name`, {
				above: [locator],
				simplifier: simplifyFile,
			}),
			action: `Get many files of ${kind}`,
		},
		get: {
			action: `Get file of ${kind}`,
			description: `Retrieve the details of a ${kind} file`,
			endpoint: ['GET', `${files}/:fileId`],
			...simplifiedBy(simplifyFile),
			fields: [locator, fileId, simplify],
		},
		replace: {
			action: `Replace file of ${kind}`,
			description: `Upload a new version of a ${kind} file`,
			endpoint: ['POST', `${files}/:fileId`],
			uploadRequest,
			fields: [locator, fileId, ...fileFields],
		},
		delete: {
			action: `Delete file of ${kind}`,
			description: `Delete a ${kind} file`,
			endpoint: ['DELETE', `${files}/:fileId`],
			toItems: deleted,
			fields: [locator, fileId, fileInUse],
		},
	};
}
