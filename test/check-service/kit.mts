import timers from 'node:timers/promises';
import type { Emulator } from '../../emulator/emulator.mts';
import type { Switches } from '../../emulator/switches.mts';
import { questions } from '../../check-service/questions.mts';
import { reportOf, type Report } from '../../check-service/report.mts';
import { run, type Result, type Scope } from '../../check-service/run.mts';
import { Service, type ServiceOptions } from '../../check-service/service.mts';
import { useEmulator } from '../emulator/client.mts';
import { first } from '../kit/required.mts';

/** A service with enough of everything, so that each question has an answer. */
export const SEED = {
	...{ people: 30, groups: 4, campaigns: 6, surveys: 1, anonymousSurveys: 1 },
	...{ responsesPerSurvey: 4, broadcasts: 6, channels: 3, templates: 3 },
};

/** Makes the pauses of the checks take no time in a test file: `Date.now` jumps instead. Returns the real one. */
export function useNoPauses(): () => number {
	const { now } = Date;
	beforeEach(() => {
		let ahead = 0;
		jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0) => void (ahead += ms));
		jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
	});
	afterEach(() => jest.restoreAllMocks());
	return now;
}

/** Starts this service for a test file, and resets it before each test. Its access tokens expire in real time. */
export const useWholeService = (): Emulator =>
	useEmulator({ seed: SEED, clock: useNoPauses() }).emulator;

export const everything = (emulator: Emulator): Scope => ({
	...{ writes: true, channels: true },
	recipients: [first(emulator.state.people.values()).email],
});

export const readsOnly: Scope = { writes: false, channels: false, recipients: [] };

/** Runs the checks against an emulator. */
export async function check(
	{ url, accessKey, clientId, clientSecret }: Emulator,
	scope: Scope,
	options: Partial<ServiceOptions> = {},
	only?: keyof Switches,
): Promise<{ result: Result; report: Report }> {
	const limits = { most: 300, timeoutMs: 5_000 };
	const client: ServiceOptions['client'] = [clientId, clientSecret];
	const service = new Service({ url, accessKey, client, ...limits, ...options });
	const asked = questions.filter(({ decides }) => only === undefined || decides === only);
	const result = await run(service, scope, asked);
	return { result, report: reportOf(service.exchanges, result) };
}
