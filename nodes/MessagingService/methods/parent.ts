import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { labelOf } from '../../shared/field';
import { isDataObject } from '../../shared/typeGuards';
import { entriesOf, LISTS } from '../../shared/lists/lists';
import { findByName } from '../../shared/names';
import { buildPath, pathParameters } from '../../shared/transport/path';
import { isBlank } from '../../shared/values';

/**
 * The path of a list that depends on the record selected above it.
 *
 * @param path with the record's parameter in it: `/int/v1/channel/:channelId/manager`
 * @param shows what the list shows, for the error: `the users who manage it`
 * @throws NodeOperationError when the record is not chosen yet, or its name is not that of exactly one
 */
export async function pathBelow(
	context: ILoadOptionsFunctions,
	path: string,
	shows: string,
): Promise<string> {
	const [parameter = ''] = pathParameters(path);
	const id = await chosenId(context, parameter);
	const what = labelOf(parameter).toLowerCase();
	return buildPath(
		path,
		() => id,
		() => failure(context)(`Choose the ${what} first: this list shows ${shows}`),
	);
}

/**
 * Drop-down options that depend on the record selected above them. The first, with an empty value, says what to choose: n8n
 * would show an error only as "Error fetching options", and keeps showing an option that is gone.
 *
 * @param path as for `pathBelow`
 * @param what one of the options: `a question`
 * @param optionsAt reads the options, given the path with the ID of the record
 * @throws NodeOperationError when the record's name is not that of exactly one
 */
export async function optionsBelow(
	context: ILoadOptionsFunctions,
	path: string,
	what: string,
	optionsAt: (path: string) => Promise<INodePropertyOptions[]>,
): Promise<INodePropertyOptions[]> {
	const [parameter = ''] = pathParameters(path);
	const id = await chosenId(context, parameter);
	if (isBlank(id)) {
		return [{ name: `Choose the ${labelOf(parameter).toLowerCase()} first`, value: '' }];
	}
	const options = await optionsAt(buildPath(path, () => id, failure(context)));
	return [{ name: `Choose ${what}`, value: '' }, ...options];
}

async function chosenId(context: ILoadOptionsFunctions, parameter: string): Promise<unknown> {
	const given: unknown = context.getCurrentNodeParameter(parameter);
	const list = LISTS[parameter];
	if (!list || !isDataObject(given) || given.mode !== 'name') {
		return context.getCurrentNodeParameter(parameter, { extractValue: true });
	}
	const name = typeof given.value === 'string' ? given.value.trim() : '';
	if (name === '') return '';
	const [found, ...others] = findByName(await entriesOf(context, list), name);
	if (found && others.length === 0) return found.id;
	const what = labelOf(parameter).toLowerCase();
	throw failure(context)(
		found
			? `${others.length + 1} ${what}s are called "${name}"`
			: `There is no ${what} called "${name}"`,
		`Choose the ${what} from the list, or give it by its ID: then this list can show what belongs to it.`,
	);
}
