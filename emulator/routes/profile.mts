import type { Context } from '../server/context.mts';
import { fieldsOf, ok } from './envelope.mts';

/** Returns the operation that shows the token's user (openapi.yaml, profile.get). */
export function profileOperations(context: Context) {
	return {
		'profile.get': () =>
			ok(fieldsOf(context.state.superUser, '_id', 'firstName', 'lastName', 'email', 'sfUserId')),
	};
}
