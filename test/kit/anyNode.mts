import type { INode } from 'n8n-workflow';

/** A node for tests that run no node: the errors of n8n need one. */
export const anyNode: INode = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
