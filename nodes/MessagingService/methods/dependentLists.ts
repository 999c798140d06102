import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldLabel } from '../../shared/field';
import { buildPath, pathParameters } from '../../shared/transport/address';
import { fieldsIn, isBlank } from '../../shared/values';

/**
 * Returns the path of a list that depends on the record selected above it.
 *
 * @param path contains the parameter of the record: `/int/v1/channel/:channelId/manager`
 * @param shows completes the error message "this list shows …": `the users who manage it`
 * @throws NodeOperationError if no record is selected
 */
export function dependentPath(context: ILoadOptionsFunctions, path: string, shows: string): string {
	const parent = parentPath(context, path);
	if (parent.path !== undefined) return parent.path;
	throw failure(context)(`${parent.chooseFirst}: this list shows ${shows}`);
}

/**
 * Returns the method of a drop-down list that depends on the record selected above it. The first option has an empty value
 * and tells the user what to choose. If no record is selected, the only option asks for the record: `Choose the channel from
 * the list first`. An error would not help: n8n would show only "Error fetching options", and would keep showing an option
 * that no longer exists.
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
		const parent = parentPath(this, path);
		if (parent.path === undefined) return [{ name: parent.chooseFirst, value: '' }];
		return [{ name: firstOption, value: '' }, ...(await optionsAt(this, parent.path))];
	};
}

/**
 * Returns `path`, the path with the ID of the selected record (`undefined` if none is selected, or if it is named: names are
 * looked up only when the node runs). Also returns `chooseFirst`, the text that asks the user to choose a record.
 */
function parentPath(context: ILoadOptionsFunctions, path: string) {
	const [parameter = ''] = pathParameters(path);
	const isNamed = fieldsIn(context.getCurrentNodeParameter(parameter)).mode === 'name';
	const id: unknown = context.getCurrentNodeParameter(parameter, { extractValue: true });
	return {
		chooseFirst: `Choose the ${fieldLabel(parameter).toLowerCase()} from the list first`,
		path:
			isNamed || isBlank(id) ? undefined : buildPath(path, { [parameter]: id }, failure(context)),
	};
}
