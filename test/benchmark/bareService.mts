/**
 * A minimal replacement for the service, without checks. Runs in a separate process, so that its work is not measured.
 * `GET /campaign` has `RECORDS` records in pages of `limit`. The survey data of campaign `n` and `anonymous-n` has n rows,
 * and each response has `NEW_ROWS` rows more than the one before.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { startServer } from '../kit/testServer.mts';
import { nextMessage } from './guards.mts';

export const NEW_ROWS = 10;
const RECORDS = 200_000;
const TITLES = ['How do you feel?', 'Why?', 'Which team are you in?', 'What is missing?'];
export const QUESTIONS = TITLES.length;

/** Starts the service. */
export async function startBareService(): Promise<{ baseUrl: string; stop: () => void }> {
	const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
	const baseUrl = await nextMessage<string>(child);
	return { baseUrl, stop: () => child.disconnect() };
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await serve();

async function serve(): Promise<void> {
	/** The JSON of the rows by campaign. */
	const surveys = new Map<string, { rows: string; count: number }>();
	const survey = (campaign: string): string => {
		const isAnonymous = campaign.startsWith('anonymous');
		const known = surveys.get(campaign);
		const first = known?.count ?? 0;
		const length = known ? NEW_ROWS : Number(/\d+/.exec(campaign)?.[0]);
		// The trigger emits no new row that was submitted before the workflow was activated.
		const date = known ? Date.now() : Date.parse('2026-01-05');
		const row = (_: unknown, index: number) => rowOf(first + index, isAnonymous, date);
		const added = Array.from({ length }, row).join(',');
		const rows = known ? `${known.rows},${added}` : added;
		surveys.set(campaign, { rows, count: first + length });
		const questions = TITLES.map((title, index) => ({ _id: `question${index}`, title }));
		const head = JSON.stringify({ name: 'Pulse', anonymous: isAnonymous, questions });
		return `{"success":true,"data":${head.slice(0, -1)},"result":[${rows}]}}`;
	};
	const { url } = await startServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
		request.resume().on('end', () => {
			response.setHeader('content-type', 'application/json');
			const [, campaign] = /([\w-]+)\/surveyData$/.exec(pathname) ?? [];
			const isList = request.method === 'GET' && pathname.endsWith('/campaign');
			const one = () => JSON.stringify({ success: true, data: record(pathname.split('/').at(-1)) });
			response.end(campaign ? survey(campaign) : isList ? page(searchParams) : one());
		});
	});
	process.send?.(url);
	process.once('disconnect', () => process.exit());
}

function record(id: number | string = 1) {
	return {
		...{ _id: String(id), name: `Campaign ${id}`, title: `Campaign ${id}` },
		...{ status: '1', categories: ['news', 'staff'], enableEmail: true },
		...{ liveDate: '2026-01-31T09:15:00.000Z', recipientAmount: 1200 },
	};
}

function page(query: URLSearchParams): string {
	const first = Number(query.get('previousLastId') ?? 0) + 1;
	const length = Math.min(Number(query.get('limit') ?? 100), RECORDS - first + 1);
	const data = Array.from({ length }, (_, index) => record(first + index));
	return JSON.stringify({ success: true, data });
}

function rowOf(person: number, isAnonymous: boolean, date: number): string {
	return JSON.stringify({
		...{ responseSubmitted: true, read: true, submitted: true, responseDuration: person % 300 },
		submittedDate: new Date(date + person).toISOString(),
		...(!isAnonymous && {
			userId: `64f1c0ffee${person.toString(16).padStart(14, '0')}`,
			userDisplayName: `Person ${person}`,
			userEmail: `person${person}@people.example`,
		}),
		...{ 'q.1': person % 11, 'q.2': `Because of ${person % 500}` },
		...{
			'q.3': ['Sales', 'Engineering'][person % 2],
			'q.4': person % 3 ? 'Nothing' : 'A quiet room',
		},
	});
}
