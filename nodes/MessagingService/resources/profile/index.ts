import type { Resource } from '../../engine/declaration';
import { get } from './get';

export const profile: Resource = { get };
