import type { Resource } from '../../engine/operation';
import { getAll } from './getAll';

export const template: Resource = { getAll };
