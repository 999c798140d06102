import type { Resource } from '../../engine/operation';
import { create } from './create';
import { getResponses } from './getResponses';
import { getSummary } from './getSummary';
import { launch } from './launch';
import { update } from './update';

export const survey: Resource = { create, getResponses, getSummary, launch, update };
