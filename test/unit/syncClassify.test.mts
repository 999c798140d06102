import type {
	Responses,
	GroupMembers,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import type { Recipient } from '../../nodes/MessagingService/resources/recipientGroup/sync/readRecipients.ts';
import { classify } from '../../nodes/MessagingService/resources/recipientGroup/sync/classify.ts';
import { inputOf, nothing, syncOf, type Given } from './syncEvidence.mts';
import fc, { runs } from '../kit/property.mts';

const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'f'];

const group: fc.Arbitrary<GroupMembers | undefined> = fc.option(
	fc
		.record({ ids: fc.subarray(PEOPLE), complete: fc.boolean() })
		.map(({ ids, complete }) => ({ ids: new Set(ids), complete, shown: 'some' })),
	{ nil: undefined },
);

const recipients = PEOPLE.map((key): Recipient => ({ key, value: key }));

/** Answers in which each of some people stands once. */
const responses: fc.Arbitrary<Responses> = fc
	.array(
		fc.record({
			kind: fc.constantFrom('taken', 'unknown', 'failed'),
			size: fc.integer({ min: 1, max: 3 }),
			changed: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
		}),
		{ maxLength: 4 },
	)
	.map((calls) => {
		const all: Responses = { ...nothing, taken: [], unknown: [], failed: [] };
		let start = 0;
		for (const { kind, size, changed } of calls) {
			const sent = recipients.slice(start, start + size);
			start += size;
			if (sent.length === 0) continue;
			const told = changed === undefined ? undefined : Math.min(changed, sent.length);
			if (kind === 'taken') all.taken.push({ recipients: sent, changed: told });
			if (kind === 'failed') all.failed.push({ recipients: sent, reason: 'It broke' });
			if (kind === 'unknown') {
				for (const recipient of sent) all.unknown.push({ recipient, reason: 'Not known' });
			}
		}
		return all;
	});

const evidences: fc.Arbitrary<Given> = fc
	.record({
		mode: fc.constantFrom('add', 'remove', 'mirror'),
		identifyBy: fc.constantFrom('email', 'id'),
		before: group,
		after: group,
		responses: fc.option(responses, { nil: undefined }),
		stopped: fc.option(fc.constant('It stopped'), { nil: undefined }),
	})
	.map(
		(given): Given => ({
			...given,
			mode: given.identifyBy === 'email' && given.mode === 'mirror' ? 'add' : given.mode,
			input: inputOf(...PEOPLE),
		}),
	);

const said = (given: Given) => {
	const { request, evidence } = syncOf(given);
	return classify(request, evidence);
};

/** What each call that named somebody changed, as far as its count tells. */
function changeOf({ responses: said }: Given, key: string): 'all' | 'none' | 'some' | undefined {
	const call = said?.taken.find(({ recipients: sent }) => sent.some((one) => one.key === key));
	if (!call) return undefined;
	if (call.changed === call.recipients.length) return 'all';
	return call.changed === 0 ? 'none' : 'some';
}

test('whatever the evidence: everybody has one status, and the summary counts them', () => {
	fc.assert(
		fc.property(evidences, (evidence) => {
			const { lines, summary } = said({ ...evidence, perRecipient: true });
			expect(lines.map(({ recipient }) => recipient)).toEqual(PEOPLE);
			const counted = Object.values(summary).reduce((sum, count) => sum + count, 0);
			expect(counted).toBe(PEOPLE.length);
			for (const { status } of lines) expect(summary[status]).toBeGreaterThan(0);
			const brief = said({ ...evidence, perRecipient: false }).summary;
			expect(Object.values(brief).reduce((sum, count) => sum + count, 0)).toBe(PEOPLE.length);
		}),
		{ numRuns: runs(2_000) },
	);
});

test('whatever the evidence: changed is said only with proof', () => {
	fc.assert(
		fc.property(evidences, (evidence) => {
			const { before, after, identifyBy } = evidence;
			const was = (key: string) => before?.ids.has(key) || (before?.complete ? false : undefined);
			const is = (key: string) => after?.ids.has(key) || (after?.complete ? false : undefined);
			const { lines, notes } = said({ ...evidence, perRecipient: true });
			for (const { recipient: key, status, unverified, reason } of lines) {
				const counted = changeOf(evidence, key) === 'all';
				const [seenIn, seenOut] =
					identifyBy === 'id' ? [is(key) && was(key) === false, was(key) && is(key) === false] : [];
				if (status === 'added') expect(counted || seenIn).toBe(true);
				if (status === 'removed') expect(counted || seenOut).toBe(true);
				if (status === 'failed') expect(reason).not.toBe('');
				if (status === 'unknown') {
					expect(evidence.responses?.unknown.map(({ recipient }) => recipient.key)).toContain(key);
				}
				if (status === 'alreadyMember' && !unverified && identifyBy === 'id')
					expect(was(key)).toBe(true);
				if (status === 'notMember' && !unverified && identifyBy === 'id')
					expect(was(key)).toBe(false);
				if (status === 'alreadyMember' && !unverified && identifyBy === 'email') {
					expect(changeOf(evidence, key)).toBe('none');
				}
				if (unverified) expect(notes.some((note) => note.includes(reason))).toBe(true);
			}
		}),
		{ numRuns: runs(2_000) },
	);
});
