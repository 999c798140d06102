/**
 * A minimal replacement for the service, without checks. Runs in a separate process, so that its work is not measured.
 * A list has `RECORDS` records in pages of `limit`. A survey `large<n>` has n respondents.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { startServer } from '../kit/testServer.mts';
import { nextMessage } from './table.mts';

const RECORDS = 200_000;

/** Starts the service. */
export async function startBareService(): Promise<{ baseUrl: string; stop: () => void }> {
	const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
	const baseUrl = await nextMessage<string>(child);
	return { baseUrl, stop: () => child.disconnect() };
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await serve();

async function serve(): Promise<void> {
	const one = JSON.stringify({ success: true, data: record(1) });
	const surveys = new Map<number, string>();
	const survey = (people: number): string => {
		const known = surveys.get(people) ?? surveyOf(people);
		surveys.set(people, known);
		return known;
	};
	const { url } = await startServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
		request.resume().on('end', () => {
			response.setHeader('content-type', 'application/json');
			const [, people] = /large(\d+)\/surveyData$/.exec(pathname) ?? [];
			const isList = request.method === 'GET' && pathname.endsWith('/campaign');
			response.end(people ? survey(Number(people)) : isList ? page(searchParams) : one);
		});
	});
	process.send?.(url);
	process.once('disconnect', () => process.exit());
}

function record(number: number) {
	return {
		_id: String(number),
		name: `Campaign ${number}`,
		title: `Campaign ${number}`,
		status: '1',
		categories: ['news', 'staff'],
		enableEmail: true,
		liveDate: '2026-01-31T09:15:00.000Z',
		recipientAmount: 1200,
	};
}

function page(query: URLSearchParams): string {
	const first = Number(query.get('previousLastId') ?? 0) + 1;
	const length = Math.min(Number(query.get('limit') ?? 100), RECORDS - first + 1);
	const data = Array.from({ length }, (_, index) => record(first + index));
	return JSON.stringify({ success: true, data });
}

/** Returns the row of one respondent, without answers. */
export function respondent(person: number, submitted = Date.parse('2026-01-05')) {
	return {
		responseSubmitted: true,
		read: true,
		submitted: true,
		submittedDate: new Date(submitted + person * 1000).toISOString(),
		userId: `64f1c0ffee${person.toString(16).padStart(14, '0')}`,
	};
}

function surveyOf(people: number): string {
	const titles = ['How do you feel?', 'Why?', 'Which team are you in?', 'What is missing?'];
	return JSON.stringify({
		success: true,
		data: {
			name: 'Pulse',
			anonymous: false,
			questions: titles.map((title, index) => ({ _id: `question${index}`, title, options: [] })),
			result: Array.from({ length: people }, (_, person) => ({
				...respondent(person),
				userDisplayName: `Person ${person}`,
				userEmail: `person${person}@people.example`,
				responseDuration: person % 300,
				'q.1': person % 11,
				'q.2': `Because of ${person % 500}`,
				'q.3': ['Sales', 'Engineering'][person % 2],
				'q.4': person % 3 ? 'Nothing' : 'A quiet room',
			})),
		},
	});
}
