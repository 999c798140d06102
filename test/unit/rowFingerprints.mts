import type { Fingerprint } from '../../nodes/MessagingServiceTrigger/dedupe/hash.ts';
import { keyOfContent, keyOfUser } from '../../nodes/MessagingServiceTrigger/dedupe/rowKey.ts';
import {
	KIND,
	RowFingerprints,
} from '../../nodes/MessagingServiceTrigger/dedupe/rowFingerprints.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';

/** The key of the row of somebody with a user id. */
export function keyOf(userId: string): Fingerprint {
	const key = { high: 0, low: 0 };
	keyOfUser(userId, key);
	return key;
}

/** The key of a row that is known by its content. */
export function contentKeyOf(row: SurveyRow): Fingerprint {
	const key = { high: 0, low: 0 };
	keyOfContent(row, key);
	return key;
}

/** Ids as the service makes them: 24 hexadecimal digits that count up. */
export function recordId(number: number): string {
	return `64f1c0ffee${number.toString(16).padStart(14, '0')}`;
}

/** How many bytes of saved state each event of each of so many respondents takes. */
export function bytesEach(respondents: number, events: number): number {
	const seen = new RowFingerprints();
	for (let number = 0; number < respondents; number++) {
		const place = seen.placeOf(keyOf(recordId(number)), KIND.user);
		for (let event = 0; event < events; event++) seen.add(place, event, 1);
	}
	return Buffer.byteLength(JSON.stringify(seen.pack(7))) / respondents / events;
}
