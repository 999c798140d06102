import type { Resource } from '../../engine/operation';
import { get } from './get';

export const profile: Resource = {
	displayName: 'Profile',
	value: 'profile',
	operations: [get],
	defaultOperation: 'get',
};
