import type { RecordedRequest } from '../../emulator/emulator.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { locator } from '../kit/engine.mts';
import { groupSync, MEMBERS, range, statuses, unknownModes } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 3, people: 40, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, groupFields, groupNames, idsOf, memberIndexes, members, sync, syncIds, target } =
	groupSync(service);

/** How many recipients a request named. */
function sentCount({ body }: RecordedRequest): number {
	if (typeof body !== 'object' || body === null) return 0;
	return Object.values(body).flat().length;
}

describe('what is sent', () => {
	test('all items in one request, with the group read first', async () => {
		members(0);
		const result = await sync(emailsOf(0, 1, 2).map((email) => ` ${email.toUpperCase()} `));
		expect(service.requests[1]).toMatchObject({
			method: 'POST',
			path: `/int/v1/recipientGroup/${target()._id}/recipients`,
			body: { recipientEmails: emailsOf(0, 1, 2).map((email) => email.toUpperCase()) },
		});
		expect(statuses(result)).toEqual(['alreadyMember', 'added', 'added']);
		expect(memberIndexes()).toEqual([0, 1, 2]);
	});

	test('chunks of the size asked for, and no more requests at once than asked for', async () => {
		members();
		service.emulator.faults.add({
			match: { path: MEMBERS },
			times: Infinity,
			action: { delayMs: 20 },
		});
		await sync(emailsOf(...range(0, 40)), { options: { chunkSize: 3, concurrency: 2 } });
		const sizes = service.requests.filter(({ method }) => method === 'POST').map(sentCount);
		expect(sizes).toEqual([...Array.from({ length: 13 }, () => 3), 1]);
		expect(service.emulator.maxInFlight).toBe(2);
		expect(memberIndexes()).toEqual(range(0, 40));
	});

	test('blank, malformed and repeated values are reported and never sent', async () => {
		members();
		const [email = ''] = emailsOf(0);
		const values = [
			'',
			'   ',
			null,
			undefined,
			'not an address',
			'a@b@c',
			'a@b@c.example',
			`${email}, ${emailsOf(1)[0]}`,
			emailsOf(1, 2),
			email,
			email.toUpperCase(),
			`  ${email}`,
		];
		const result = await sync(values);
		expect(statuses(result)).toEqual([
			...Array.from({ length: 9 }, () => 'invalid'),
			'added',
			'duplicate',
			'duplicate',
		]);
		expect(result.json[10]).toEqual({
			recipient: email.toUpperCase(),
			status: 'duplicate',
			reason: 'The same as in item 9',
			...groupFields(),
		});
		expect(result.json.every(({ status, reason }) => status === 'added' || reason !== '')).toBe(
			true,
		);
		expect(service.lastRequest.body).toEqual({ recipientEmails: [email] });
	});

	test.each(['add', 'remove'])('%s of nobody valid is an error and sends nothing', async (mode) => {
		const { error } = await sync(['', 'nobody'], { mode });
		expect(error?.message).toBe('No input item has a valid recipient');
		expect(error?.description).toContain(
			'the Recipient parameter; the first item has the fields email.',
		);
		const result = await sync(['', 'nobody'], { mode, onError: 'continueRegularOutput' });
		expect(statuses(result)).toEqual(['invalid', 'invalid', undefined]);
		expect(service.requests).toEqual([]);
	});

	test.each([
		'={{ $json.email }}',
		'={{$json.email}}',
		'={{ $json["email"] }}',
		'={{ $json.email ?? undefined }}',
		'={{ $input.item.json.email }}',
	])('%s gives the same as any other way to name the field', async (recipient) => {
		members();
		const [email = ''] = emailsOf(0);
		const values = [
			email,
			'',
			null,
			undefined,
			7,
			true,
			[email],
			{ email },
			`=${email}`,
			'{{ 1 }}',
		];
		const result = await sync(values, { parameters: { recipient }, dryRun: true });
		expect(result.json.map(({ recipient: given, status }) => [given, status])).toEqual([
			[email, 'added'],
			['', 'invalid'],
			['', 'invalid'],
			['', 'invalid'],
			['7', 'invalid'],
			['true', 'invalid'],
			[JSON.stringify([email]), 'invalid'],
			[JSON.stringify({ email }), 'invalid'],
			[`=${email}`, 'unknown'],
			['{{ 1 }}', 'invalid'],
		]);
	});

	test('a field that the item does not have, or only by inheritance, is blank', async () => {
		const result = await sync(emailsOf(0), {
			parameters: { recipient: '={{ $json.toString }}' },
			onError: 'continueRegularOutput',
		});
		expect(result.json[0]).toMatchObject({ recipient: '', status: 'invalid' });
	});

	test('ids are told apart by case', async () => {
		members();
		const [id = ''] = idsOf(0);
		const result = await syncIds([id, `${id}`, 'no id at all', '']);
		expect(statuses(result)).toEqual(['added', 'duplicate', 'invalid', 'invalid']);
		expect(service.lastRequest.body).toEqual({ recipientIds: [id] });
	});
});

describe('settings', () => {
	test.each([
		['mode', { mode: '={{ $json.mode }}' }, 'Mode'],
		['identifyBy', { identifyBy: '={{ $json.by }}' }, 'Identify By'],
		['dryRun', { dryRun: '={{ $json.dry }}' }, 'Dry Run'],
		['options', { options: { chunkSize: '={{ $json.size }}' } }, 'Options'],
	])('%s that differs between items fails before sending', async (_name, parameters, label) => {
		const items = [
			{
				json: {
					email: 'a@b.example',
					mode: 'add',
					by: 'email',
					dry: true,
					size: 1,
				},
			},
			{
				json: {
					email: 'c@d.example',
					mode: 'remove',
					by: 'id',
					dry: false,
					size: 2,
				},
			},
		];
		const { error } = await sync([], { parameters, items });
		expect(error?.message).toContain(`${label} differs between the input items`);
		expect(error?.message).toContain('item 1');
		expect(service.requests).toEqual([]);
	});

	test('a group that is the same for all items may come from an expression', async () => {
		members();
		const items = emailsOf(0, 1).map((email) => ({ json: { email, group: target()._id } }));
		const result = await sync([], {
			parameters: { recipientGroupId: locator('={{ $json.group }}') },
			items,
		});
		expect(statuses(result)).toEqual(['added', 'added']);
	});

	test.each([
		[{ chunkSize: 0 }, 'Recipients per Request must be a whole number of 1 or more'],
		[{ concurrency: 1.5 }, 'Requests at Once must be a whole number of 1 or more'],
		[{ chunkSize: '' }, 'Recipients per Request must be a whole number of 1 or more'],
		[{ concurrency: 'x' }, 'Requests at Once must be a whole number of 1 or more'],
		[{ output: 'all' }, 'Output must be perRecipient or summary: it is "all"'],
	])('%j fails before sending', async (options, message) => {
		const { error } = await sync(emailsOf(0), { options });
		expect(error?.message).toBe(message);
		expect(service.requests).toEqual([]);
	});

	test.each([120, -1, '', 'many'])('Maximum Removal %j fails before sending', async (percent) => {
		const { error } = await sync(emailsOf(0), {
			mode: 'mirror',
			parameters: { maxRemovalPercent: percent },
		});
		expect(error?.message).toBe('Maximum Removal (%) must be a number from 0 to 100');
		expect(service.requests).toEqual([]);
	});

	test.each([true, 'true', 'YES', 1, '1'])(
		'a dry run that an expression gives as %j is one',
		async (dry) => {
			members(1);
			const [email = ''] = emailsOf(0);
			const result = await sync([], {
				parameters: { dryRun: '={{ $json.dry }}' },
				items: [{ json: { email, dry } }],
			});
			expect(result.json).toEqual([
				{
					recipient: email,
					status: 'added',
					reason: 'Would be added',
					dryRun: true,
					...groupFields(),
				},
			]);
			expect(target().version).toBe(0);
		},
	);

	test.each(['', null, 'perhaps', 2])(
		'a dry run that an expression gives as %j fails before sending',
		async (dry) => {
			const { error } = await sync([], {
				parameters: { dryRun: '={{ $json.dry }}' },
				items: [{ json: { email: 'a@b.example', dry } }],
			});
			expect(error?.message).toContain('Dry Run must be on or off');
			expect(service.requests).toEqual([]);
		},
	);

	test('no group fails before sending', async () => {
		const { error } = await sync(emailsOf(0), {
			parameters: { recipientGroupId: locator('={{ "" }}') },
		});
		expect(error?.message).toContain('Recipient Group is missing');
		expect(service.requests).toEqual([]);
	});

	test('a group that does not exist', async () => {
		const { error } = await sync(emailsOf(0), {
			parameters: { recipientGroupId: locator('64f1c0ffee0000000000abcd') },
		});
		expect(error).toMatchObject({ httpCode: '404' });
		expect(error?.description).toContain('Summary: failed 1.');
	});
});

describe.each([
	['emails', sync, emailsOf],
	['ids', syncIds, idsOf],
] as const)('add and remove by %s', (kind, run, values) => {
	const unknown = (number: number) =>
		kind === 'emails' ? `Stranger${number}@people.example` : `64f1c0ffee00000000000${100 + number}`;

	test('add: who was added and who was there before', async () => {
		members(0, 3, 7);
		const result = await run(values(...range(0, 8)), { options: { chunkSize: 3 } });
		expect(statuses(result)).toEqual(
			range(0, 8).map((index) => ([0, 3, 7].includes(index) ? 'alreadyMember' : 'added')),
		);
		expect(memberIndexes()).toEqual(range(0, 8));
	});

	test('remove: who was removed and who was not there', async () => {
		members(0, 3, 7, 20);
		const result = await run(values(...range(0, 8)), { mode: 'remove', options: { chunkSize: 3 } });
		expect(statuses(result)).toEqual(
			range(0, 8).map((index) => ([0, 3, 7].includes(index) ? 'removed' : 'notMember')),
		);
		expect(memberIndexes()).toEqual([20]);
	});

	test.each(['add', 'remove'])('%s again changes nothing', async (mode) => {
		members(1, 2, 30);
		await run(values(...range(0, 12)), { mode });
		const before = memberIndexes();
		const result = await run(values(...range(0, 12)), { mode });
		expect(new Set(statuses(result))).toEqual(
			new Set([mode === 'add' ? 'alreadyMember' : 'notMember']),
		);
		expect(memberIndexes()).toEqual(before);
	});

	describe.each(unknownModes)('a service that %s', (_what, switches) => {
		/** Nothing proves that somebody is unknown whom the service passes over without a word. */
		const silent = switches.unknownIds === 'ignore';
		const notKnown = silent ? 'failed' : 'unknown';
		const goOn = { onError: 'continueRegularOutput' } as const;

		test.each(['add', 'remove'])('%s: the rest get through', async (mode) => {
			Object.assign(service.emulator.switches, switches);
			members(2, 5, 21);
			const input = [...values(...range(0, 16)), unknown(1), unknown(2)];
			// Strangers in different chunks and beside each other.
			input.splice(3, 0, unknown(3));
			const result = await run(input, { mode, options: { chunkSize: 8 }, ...goOn });
			const [changed, unchanged] =
				mode === 'add' ? ['added', 'alreadyMember'] : ['removed', 'notMember'];
			const expected = input.map((value) => {
				const index = values(...range(0, 40)).indexOf(value);
				// To remove, somebody whom the service passes over is as good as not in the group.
				if (index === -1) return silent && mode === 'remove' ? 'notMember' : notKnown;
				const member = [2, 5].includes(index);
				return member === (mode === 'add') ? unchanged : changed;
			});
			expect(statuses(result)).toEqual(expected);
			expect(memberIndexes()).toEqual(
				mode === 'add' ? [...range(0, 16), 21].sort((a, b) => a - b) : [21],
			);
			expect(groupNames()).toHaveLength(2);
		});

		test('everybody unknown', async () => {
			Object.assign(service.emulator.switches, switches);
			members(2);
			const result = await run([unknown(1), unknown(2), unknown(3)], goOn);
			expect(statuses(result)).toEqual([notKnown, notKnown, notKnown]);
			expect(memberIndexes()).toEqual([2]);
		});

		test('dry run', async () => {
			Object.assign(service.emulator.switches, switches);
			members(2, 5);
			const result = await run([...values(1, 2, 3), unknown(1)], { dryRun: true, ...goOn });
			expect(result.json.map(({ status, dryRun }) => [status, dryRun])).toEqual([
				['added', true],
				['alreadyMember', true],
				['added', true],
				[notKnown, true],
			]);
			expect(memberIndexes()).toEqual([2, 5]);
			expect(target().version).toBe(0);
			expect(groupNames()).toHaveLength(2);
		});
	});

	test('dry run of remove', async () => {
		members(2, 5);
		const result = await run(values(1, 2, 3), { mode: 'remove', dryRun: true });
		expect(statuses(result)).toEqual(['notMember', 'removed', 'notMember']);
		expect(memberIndexes()).toEqual([2, 5]);
	});

	test('the service shows only some of the members', async () => {
		members(0, 1, 2, 3);
		service.emulator.switches.leadsTruncated = 2;
		const result = await run(values(0, 3, 4, 5));
		expect(memberIndexes()).toEqual(range(0, 6));
		// What cannot be told is not claimed to be new.
		expect(statuses(result)[0]).toBe('alreadyMember');
		expect(statuses(result)[1]).toBe('alreadyMember');
	});
});
