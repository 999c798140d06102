import type { Resource } from '../../engine/declaration';
import { getAll } from './getAll';

export const template: Resource = { getAll };
