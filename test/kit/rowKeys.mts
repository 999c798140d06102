import type { Fingerprint } from '../../nodes/MessagingServiceTrigger/seen/hash.ts';
import { keyOfUser } from '../../nodes/MessagingServiceTrigger/seen/rowKey.ts';

/** What the trigger remembers of a respondent. */
export function keyOf(userId: string): Fingerprint {
	const key = { high: 0, low: 0 };
	keyOfUser(userId, key);
	return key;
}
