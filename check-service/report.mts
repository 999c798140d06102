import { differences, endpoints } from './contract.mts';
import type { Asked, Result } from './run.mts';
import type { Exchange } from './service.mts';
import { isObject } from '../emulator/server/guards.mts';

/** The content of service-report.json. It names no person, record or host. */
export type Report = {
	switches: Record<string, unknown>;
	/** What the service does that no switch of the emulator has. */
	needsSwitch: string[];
	questions: { asks: string; decides?: string | undefined; answer: string }[];
	/** For each endpoint: what the contract does not say, or says otherwise. */
	endpoints: { operationId: string; requests: number; differs: string[] }[];
	stopped: string | undefined;
};

const EMAIL = /[^\s"'<>@,;:]+@[^\s"'<>,;]+/g;
const ADDRESS = /\bhttps?:\/\/\S+/g;
const HOST = /\b(?:[a-z\d-]+\.)+[a-z]{2,}\b(?::\d+)?/gi;
const ID = /\b(?=[\da-f-]*\d)[\da-f-]{12,}\b/gi;
const NAMES = /^(name|title|firstName|lastName|displayName|userDisplayName|desc|description)$/;

/** Returns a function that replaces addresses, names, IDs and hosts in a text. */
export function redactor(exchanges: Pick<Exchange, 'body'>[]): (text: string) => string {
	const names = new Set<string>();
	JSON.stringify(exchanges, (key, value: unknown) => {
		if (typeof value === 'string' && NAMES.test(key) && value.length > 2) names.add(value);
		return value;
	});
	const longestFirst = [...names].sort((a, b) => b.length - a.length);
	return (text) => {
		let shown = text.replace(ADDRESS, '<url>').replace(EMAIL, '<address>');
		for (const name of longestFirst) shown = shown.replaceAll(name, '<name>');
		return shown.replace(ID, '<id>').replace(HOST, '<host>');
	};
}

/** What is not documented in a response. The contract has HTTP 200 with a message for a failure, and one plain 404. */
function oddities({ operationId, status, headers, ok, body, said }: Exchange): string[] {
	if (ok && status !== 200) return [`a success has HTTP status ${status}`];
	if (ok) return differences(operationId, body);
	if (status === undefined) return [`no response: ${said}`];
	if (operationId === 'recipientGroup.get' && status === 404) return [];
	if (!isObject(body) || body.success !== false) {
		return [`HTTP status ${status} with ${headers['content-type']?.split(';')[0] ?? 'no type'}`];
	}
	return status === 200 ? [] : [`a failure has HTTP status ${status}: ${said}`];
}

const sentenceOf = (answer: Asked['answer']): string => {
	if ('notSeen' in answer) return `not seen, because ${answer.notSeen}`;
	return answer.value === undefined ? answer.how : `${JSON.stringify(answer.value)}: ${answer.how}`;
};

/** Returns what the checks found, without anything that names a person, a record or a host. */
export function reportOf(exchanges: Exchange[], { asked, stopped }: Result): Report {
	const redacted = redactor(exchanges);
	const found = asked.flatMap(({ question, answer }) =>
		'notSeen' in answer ? [] : [{ ...question, ...answer }],
	);
	const known = found.flatMap(({ decides, value }) =>
		decides && value !== undefined ? [[decides, value] as const] : [],
	);
	const strange = found.filter((answer) => answer.isNew);
	return {
		switches: Object.fromEntries(known),
		needsSwitch: strange.map(({ asks, how }) => redacted(`${asks} ${how}`)),
		questions: asked.map(({ question: { asks, decides }, answer }) => ({
			...{ asks, decides, answer: redacted(sentenceOf(answer)) },
		})),
		endpoints: endpoints.flatMap(({ operationId }) => {
			const own = exchanges.filter((exchange) => exchange.operationId === operationId);
			const differs = [...new Set(own.flatMap(oddities).map(redacted))];
			return own.length === 0 ? [] : [{ operationId, requests: own.length, differs }];
		}),
		stopped: stopped && redacted(stopped),
	};
}

/** Returns the report as text for a terminal. */
export function reportText({ endpoints: tried, questions, needsSwitch, stopped }: Report): string {
	const line = (text: string, more: string) => `  ${text.padEnd(30)} ${more}`;
	const rows = tried.flatMap(({ operationId, differs: [first, ...others] }) => [
		line(operationId, first === undefined ? 'as documented' : `differs: ${first}`),
		...others.slice(0, 6).map((other) => line('', `         ${other}`)),
		...(others.length > 6 ? [line('', `         and ${others.length - 6} more in the file`)] : []),
	]);
	const same = tried.filter(({ differs }) => differs.length === 0).length;
	return [
		...['Endpoints', ...rows, '', 'Questions that the API document leaves open'],
		...questions.flatMap(({ asks, answer }) => [`  ${asks}`, `      ${answer}`]),
		'',
		`What works: ${same} of ${tried.length} endpoints as documented${stopped ? `; stopped: ${stopped}` : ''}.`,
		`What the nodes do not expect: ${needsSwitch.join('; ') || 'nothing that was seen'}.`,
		'What to send: service-report.json, in an issue of the kind "The service behaves differently".',
	].join('\n');
}
