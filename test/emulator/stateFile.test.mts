import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { startEmulator, type Emulator } from '../../emulator/emulator.mts';
import { firstSurvey } from '../kit/required.mts';

const seed = { people: 5, groups: 2, campaigns: 2, surveys: 1, responsesPerSurvey: 2, channels: 1 };
let running: Emulator | undefined;
let stateFile = '';

beforeEach(() => {
	stateFile = join(mkdtempSync(join(tmpdir(), 'emulator-')), 'records');
});
afterEach(async () => await running?.stop());

const start = async (): Promise<Emulator> => (running = await startEmulator({ seed, stateFile }));

const create = async ({ url, accessKey }: Emulator, name: string) => {
	const headers = { authorization: `Bearer ${accessKey}` };
	const { data } = await axios.post<{ data: { _id: string } }>(
		`${url}/int/v1/campaign`,
		{ name, description: 'D', status: 'draft' },
		{ headers },
	);
	return data.data._id;
};

test('keeps all records over a restart, also over a killed process, and gives new records new IDs', async () => {
	const first = await start();
	expect(first.isRestored).toBe(false);
	const { campaign, survey } = firstSurvey(first);
	first.submitResponse(campaign._id, { answers: [3], userId: 'u1' });
	const made = await create(first, 'Before');
	const { records, result } = { records: readFileSync(stateFile), result: survey.responseCount };
	const groups = first.state.recipientGroups.values();
	const [person] = first.state.people.values();
	await first.stop();
	// What a killed process leaves: the file as it was when the response to the last change was sent.
	writeFileSync(stateFile, records);

	const second = await start();
	expect(second.isRestored).toBe(true);
	expect(second.state.campaigns.get(made)?.name).toBe('Before');
	expect(second.state.recipientGroups.values()).toEqual(groups);
	expect(second.state.people.findByEmail(person?.email ?? '')).toEqual(person);
	const kept = firstSurvey(second).survey;
	expect(kept.responseCount).toBe(result);
	expect(kept.hasRowOf('u1')).toBe(true);
	const next = await create(second, 'After');
	expect(next > made).toBe(true);
	expect(second.state.campaigns.size).toBe(first.state.campaigns.size + 1);
});

test('a file that cannot be read is kept under another name', async () => {
	writeFileSync(stateFile, 'something else');
	const emulator = await start();
	expect(emulator.isRestored).toBe(false);
	expect(readdirSync(join(stateFile, '..'))).toContain('records.unreadable');
});
