import type { Switches } from '../../emulator/emulator.mts';
import { defaultSwitches, switchValues } from '../../emulator/switches.mts';
import {
	describeSettings,
	singleSettings,
	type SwitchSettings,
} from '../faults/switchSettings.mts';
import { first, firstSurvey, required } from '../kit/required.mts';
import { check, everything, readsOnly, useWholeService } from './kit.mts';

const emulator = useWholeService();

/** What must be so for a value to show, by switch. */
const circumstances: Partial<Record<keyof Switches, SwitchSettings>> = {
	errorLogShape: { unknownEmails: 'errorLog' },
	unknownRecipientSays: { unknownEmails: 'refuseCall' },
};

/** Values that cannot be seen from outside, with what the report says instead. */
const hidden: (readonly [keyof Switches, unknown, RegExp])[] = [
	['pageCap', { template: 2 }, /templates have neither/],
	['updateWithoutDescription', 'refuseUnlessOnlyStatus', /only sending would show it/],
	...switchValues.expiredToken.map((value) => ['expiredToken', value, /waiting/] as const),
	...switchValues.expiredTokenMessage.map(
		(value) => ['expiredTokenMessage', value, /waiting/] as const,
	),
	['channelAddressShown', 'primary', /two addresses/],
	['channelAddressShown', 'asAdded', /two addresses/],
	['channelListsWithoutEmail', true, /every listed person shows an address/],
	['channelListsWithoutEmail', false, /every listed person shows an address/],
	...switchValues.formerAddresses.map((value) => ['formerAddresses', value, /former/] as const),
	['statusScheduled', 'accept', /would go out/],
	['statusScheduled', 'refuse', /would go out/],
	['unknownCampaignEmails', 'refuseCall', /would need recipients/],
	['unknownCampaignEmails', 'ignore', /would need recipients/],
];

/** Adds what the seed lacks: a person who did nothing, and one who is known although the survey is anonymous. */
function addRows(): void {
	emulator.submitResponse(firstSurvey(emulator).campaign._id, { read: false });
	const isAnonymous = ({ survey }: { survey?: { anonymous: boolean } }) => survey?.anonymous;
	const anonymous = required([...emulator.state.campaigns.values()].find(isAnonymous), 'survey');
	const person = first(emulator.state.people.values());
	emulator.submitResponse(anonymous._id, { userId: person._id });
}

/** Puts the recipient of the checks into an exclusive group. */
function addExclusiveGroup(): void {
	const { _id } = first(emulator.state.people.values());
	emulator.state.addRecipientGroup('Board', [_id]).exclusive = true;
}

test.each(singleSettings.map((settings) => [describeSettings(settings), settings] as const))(
	'reports %s',
	async (_title, settings) => {
		const [name] = Object.keys(settings) as [keyof Switches];
		const value = settings[name];
		Object.assign(emulator.switches, circumstances[name], settings);
		addRows();
		if (name === 'exclusiveMeans') addExclusiveGroup();
		// Only the requests of other questions reach a limit.
		const only = name === 'rateLimit' ? undefined : name;
		const { report } = await check(emulator, everything(emulator), {}, only);
		const { answer = '' } = report.questions.find(({ decides }) => decides === name) ?? {};
		const found = report.switches[name];
		const expected = hidden.find(([one, other]) => one === name && same(other, value));
		if (expected) expect(answer).toMatch(expected[2]);
		else if (name === 'rateLimit' && value !== null && typeof value === 'object') {
			expect(found).toMatchObject({ ...value, perMilliseconds: expect.any(Number) });
		} else expect([answer, found]).toEqual([expect.any(String), value]);
		expect(report.needsSwitch).toEqual([]);
	},
);

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

test('reads alone decide at least 18', async () => {
	addRows();
	const { report: read } = await check(emulator, readsOnly, { client: undefined });
	expect(Object.keys(read.switches).length).toBeGreaterThanOrEqual(18);
	emulator.reset();
	addRows();
	const { report: all } = await check(emulator, everything(emulator));
	expect(Object.keys(all.switches).length).toBeGreaterThanOrEqual(30);
	expect(defaultSwitches()).toMatchObject(all.switches);
	expect(JSON.stringify(all)).not.toContain(emulator.clientSecret);
});
