import type { Resource } from '../../operations/operation';
import { create } from './create';
import { getResponses } from './getResponses';
import { getSummary } from './getSummary';
import { update } from './update';

export const survey: Resource = {
	displayName: 'Survey',
	value: 'survey',
	operations: [create, getResponses, getSummary, update],
	defaultOperation: 'getResponses',
};
