import type { Resource } from '../../engine/declaration';
import { create } from './create';
import { getResponses } from './getResponses';
import { getSummary } from './getSummary';
import { launch } from './launch';
import { remind } from './remind';
import { update } from './update';

/** The operations in the order of the Operation list: what people use most comes first. */
export const survey: Resource = {
	launch,
	getSummary,
	getResponses,
	remind,
	create,
	update,
};
