import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Emulator } from '../../../sandbox/examples/emulator.mts';
import type { OutputItem } from '../../../sandbox/n8n/n8n-rest.mts';

/** The first survey of the service; `respond` submits a response to it, and `expected` holds the answers to "Why?" so far. */
export function surveyWithResponses(emulator: Emulator) {
	const survey = emulator.state.campaigns.find((campaign) => campaign.survey !== undefined);
	assert.ok(survey);
	const expected: string[] = [];
	const respond = (): void => {
		const why = `Response ${expected.length + 1}`;
		expected.push(why);
		emulator.submitResponse(survey._id, { answers: { 'How do you feel?': 3, 'Why?': why } });
	};
	return { survey, expected, respond };
}

/** The answer to "Why?" in an item of the trigger. */
export function whyOf({ json: { answers } }: OutputItem): unknown {
	return z.object({ 'Why?': z.unknown() }).safeParse(answers).data?.['Why?'];
}
