import type { Resource } from '../../engine/operation';
import { get } from './get';

export const profile: Resource = { get };
