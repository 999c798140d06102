import type { Resource } from '../../shared/operation';
import { getAll } from './getAll';

export const template: Resource = {
	displayName: 'Template',
	value: 'template',
	operations: [getAll],
	defaultOperation: 'getAll',
};
