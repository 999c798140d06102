import type { Resource } from '../../operations/operation';
import { create } from './create';
import { getResponses } from './getResponses';
import { update } from './update';

export const survey: Resource = {
	displayName: 'Survey',
	value: 'survey',
	operations: [create, getResponses, update],
	defaultOperation: 'getResponses',
};
