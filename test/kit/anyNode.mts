import type { INode } from 'n8n-workflow';

/** A node for errors of tests that run none. */
export const anyNode: INode = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
