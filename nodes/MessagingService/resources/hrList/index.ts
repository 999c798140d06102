import type { Resource } from '../../engine/declaration';
import { read } from './read';

export const hrList: Resource = { read };
