import type { Emulator } from '../../emulator/emulator.mts';
import type { Switches } from '../../emulator/switches.mts';
import { checks } from '../../check-service/checks.mts';
import { Created, type CreatedRecord } from '../../check-service/created.mts';
import { reportOf, type Report } from '../../check-service/report.mts';
import { run, type Result, type Scope } from '../../check-service/run.mts';
import { Service, type Login, type ServiceOptions } from '../../check-service/service.mts';
import { first } from '../kit/required.mts';

/** A service with enough of everything, so that each question has an answer. */
export const SEED = {
	...{ people: 30, groups: 4, campaigns: 6, surveys: 1, anonymousSurveys: 1 },
	...{ responsesPerSurvey: 4, broadcasts: 6, channels: 3, templates: 3 },
};

export const everything = (emulator: Emulator): Scope => ({
	...{ writes: true, channels: true },
	recipients: [first(emulator.state.people.values()).email],
});

export const readsOnly: Scope = { writes: false, channels: false, recipients: [] };

const clientOf = ({ clientId, clientSecret }: Emulator): Login => ({
	clientId,
	clientSecret,
});

export type Checked = {
	result: Result;
	report: Report;
	service: Service;
	created: CreatedRecord[];
};

/** Runs the checks against an emulator, as fast as it responds. */
export async function check(
	emulator: Emulator,
	scope: Scope,
	options: Partial<ServiceOptions> & { only?: (keyof Switches)[] } = {},
): Promise<Checked> {
	const { only, ...more } = options;
	const service = new Service({
		...{ url: emulator.url, login: clientOf(emulator), perSecond: 100_000, most: 300 },
		...{ timeoutMs: 5_000, ...more },
	});
	const created = new Created(undefined);
	const asked = checks.filter(({ decides }) => !only || (decides && only.includes(decides)));
	const result = await run(service, created, scope, asked);
	return {
		...{ result, report: reportOf(service.exchanges, result), service },
		created: created.records,
	};
}

/** Returns what the report says of the question that decides a switch. */
export const answerTo = ({ questions }: Report, name: string): string =>
	questions.find(({ decides }) => decides === name)?.answer ?? '';
