import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldLabel } from '../../shared/field';
import { dropDownEntries } from '../../shared/lists/list';
import { buildPath, pathParameters } from '../../shared/transport/address';
import { findByName, isBlank, isDataObject, onlyMatch, trimmed } from '../../shared/values';
import { LISTS } from '../lists/locatorLists';

/**
 * Returns the path of a list that depends on the record selected above it.
 *
 * @param path contains the parameter of the record: `/int/v1/channel/:channelId/manager`
 * @param shows completes the error message "this list shows …": `the users who manage it`
 * @throws NodeOperationError if no record is selected, or if none or several have the selected name
 */
export async function dependentPath(
	context: ILoadOptionsFunctions,
	path: string,
	shows: string,
): Promise<string> {
	const parent = await parentPath(context, path);
	if (parent.path !== undefined) return parent.path;
	throw failure(context)(`${parent.chooseFirst}: this list shows ${shows}`);
}

/**
 * Returns the method of a drop-down list that depends on the record selected above it. The first option has an empty value
 * and tells the user what to choose. If no record is selected, the only option asks for the record: `Choose the channel
 * first`. An error would not help: n8n would show only "Error fetching options", and would keep showing an option that no
 * longer exists.
 *
 * @param path as for `dependentPath`
 * @param firstOption the first option once a record is selected: `Choose a question`
 * @param optionsAt reads the options from `path`, in which the ID of the selected record is filled in
 */
export function dependentOptions(
	path: string,
	firstOption: string,
	optionsAt: (context: ILoadOptionsFunctions, path: string) => Promise<INodePropertyOptions[]>,
): (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]> {
	return async function () {
		const parent = await parentPath(this, path);
		if (parent.path === undefined) return [{ name: parent.chooseFirst, value: '' }];
		return [{ name: firstOption, value: '' }, ...(await optionsAt(this, parent.path))];
	};
}

/**
 * Returns `path`, the path with the ID of the selected record (`undefined` if no record is selected). Also returns
 * `chooseFirst`, the text that asks the user to choose a record.
 */
async function parentPath(context: ILoadOptionsFunctions, path: string) {
	const [parameter = ''] = pathParameters(path);
	const label = fieldLabel(parameter).toLowerCase();
	const id = await parentId(context, parameter);
	return {
		chooseFirst: `Choose the ${label} first`,
		path: isBlank(id) ? undefined : buildPath(path, { [parameter]: id }, failure(context)),
	};
}

/**
 * Returns the ID of the selected record, or a blank value if no record is selected.
 *
 * @throws NodeOperationError if none or several have the selected name
 */
async function parentId(context: ILoadOptionsFunctions, parameter: string): Promise<unknown> {
	const selected: unknown = context.getCurrentNodeParameter(parameter);
	const list = LISTS[parameter];
	if (!list || !isDataObject(selected) || selected.mode !== 'name') {
		return context.getCurrentNodeParameter(parameter, { extractValue: true });
	}
	const name = trimmed(selected.value);
	if (name === '') return undefined;
	const label = fieldLabel(parameter).toLowerCase();
	const fail = failure(context);
	const advice = `Choose the ${label} from the list, or enter its ID, to see what belongs to it.`;
	const named = findByName(await dropDownEntries(context, list), name);
	const record = onlyMatch(named, name, label, fail, advice);
	if (record) return record.id;
	throw fail(`There is no ${label} called "${name}"`, advice);
}
