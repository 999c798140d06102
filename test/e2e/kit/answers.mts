import assert from 'node:assert/strict';
import type { Emulator } from '../../../sandbox/examples/emulator.mts';

/** The first survey of the service, and somebody who answers it each time differently; `expected` is what was said so far. */
export function answering(emulator: Emulator) {
	const survey = [...emulator.state.campaigns.values()].find((one) => one.survey !== undefined);
	assert.ok(survey);
	const expected: string[] = [];
	const answer = (): void => {
		const why = `Response ${expected.length + 1}`;
		expected.push(why);
		emulator.submitResponse(survey._id, { answers: { 'How do you feel?': 3, 'Why?': why } });
	};
	return { survey, expected, answer };
}
