import type { INode } from 'n8n-workflow';

/** A placeholder for tests that run no node. n8n's error classes need a node. */
export const anyNode: INode = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
