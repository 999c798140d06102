import type { INode } from 'n8n-workflow';

/** A node for the errors in tests that run no node. */
export const anyNode: INode = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
