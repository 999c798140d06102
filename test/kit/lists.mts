import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { TestCredentialsHelper } from './credentials.mts';
import { additionalData, loadPackage, nodeOf } from './engine.mts';

export type ListOptions = {
	credential: ICredentialDataDecryptedObject;
	/** What the builder has filled in so far. */
	parameters?: INodeParameters;
	/** What the builder typed into the list. */
	filter?: string;
	paginationToken?: string;
};

/** Asks a resource locator's list as the editor does. */
export async function searchList(
	method: string,
	{ filter, paginationToken, ...options }: ListOptions,
): Promise<INodeListSearchResult> {
	const { node } = await loadPackage();
	const search = node('messagingService').methods?.listSearch?.[method];
	if (!search) throw new Error(`The node has no list search ${method}`);
	return await search.call(await editorContext(options), filter, paginationToken);
}

/** Loads the options of a dropdown as the editor does. */
export async function loadOptions(
	method: string,
	options: ListOptions,
): Promise<INodePropertyOptions[]> {
	const { node } = await loadPackage();
	const load = node('messagingService').methods?.loadOptions?.[method];
	if (!load) throw new Error(`The node has no loader ${method}`);
	return await load.call(await editorContext(options));
}

async function editorContext({ credential, parameters = {} }: ListOptions) {
	const { nodeTypes, credentialType } = await loadPackage();
	const node = nodeOf('messagingService', parameters);
	const workflow = new Workflow({
		id: 'test-workflow',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const data = additionalData(new TestCredentialsHelper(credentialType, credential));
	data.currentNodeParameters = parameters;
	return new LoadOptionsContext(workflow, node, data, '');
}
