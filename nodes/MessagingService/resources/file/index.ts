import type { Operation } from '../../engine/operation';
import { deleteFile } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import type { FileParent } from './parent';
import { replace } from './replace';
import { uploadFile } from './upload';

/** Returns the operations on the files of a campaign or a broadcast. */
export function fileOperations(parent: FileParent): Operation[] {
	return [deleteFile(parent), get(parent), getAll(parent), replace(parent), uploadFile(parent)];
}
