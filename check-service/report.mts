import { isObject } from '../emulator/server/guards.mts';
import { addShape, differences, endpoints, type Shape } from './document.mts';
import type { Asked, Result } from './run.mts';
import type { Exchange } from './service.mts';

export type EndpointReport = {
	operationId: string;
	requests: number;
	/** What the document does not say, or says otherwise. */
	differs: string[];
	/** The types of the values at each place. */
	shape: Record<string, string>;
};

/** The content of service-report.json. It names no person, record or host. */
export type Report = {
	switches: Record<string, unknown>;
	/** What the service does that no switch of the emulator has. */
	needsSwitch: string[];
	questions: { asks: string; decides?: string; answer: string }[];
	endpoints: EndpointReport[];
	stopped?: string;
};

const EMAIL = /[^\s"'<>@,;:]+@[^\s"'<>,;]+/g;
const ADDRESS = /\bhttps?:\/\/\S+/g;
const HOST = /\b(?:[a-z\d-]+\.)+[a-z]{2,}\b(?::\d+)?/gi;
const ID = /\b(?=[\da-f-]*\d)[\da-f-]{12,}\b/gi;
const NAMES = /^(name|title|firstName|lastName|displayName|userDisplayName|desc|description)$/;

/** Collects the names of people and records in a body, for `redacted`. */
function addNames(names: Set<string>, value: unknown): void {
	if (Array.isArray(value)) for (const entry of value) addNames(names, entry);
	if (!isObject(value)) return;
	for (const [key, inner] of Object.entries(value)) {
		if (typeof inner !== 'string') addNames(names, inner);
		else if (NAMES.test(key) && inner.length > 2) names.add(inner);
	}
}

/** Returns a function that replaces addresses, names, IDs and hosts in a text. */
export function redactor(exchanges: Exchange[]): (text: string) => string {
	const names = new Set<string>();
	for (const { data } of exchanges) addNames(names, data);
	const longestFirst = [...names].sort((a, b) => b.length - a.length);
	return (text) => {
		let shown = text.replace(ADDRESS, '<url>').replace(EMAIL, '<address>');
		for (const name of longestFirst) shown = shown.replaceAll(name, '<name>');
		return shown.replace(ID, '<id>').replace(HOST, '<host>');
	};
}

const sentenceOf = (answer: Asked['answer']): string =>
	'notSeen' in answer
		? `not seen, because ${answer.notSeen}`
		: [answer.value === undefined ? '' : `${JSON.stringify(answer.value)}: `, answer.how].join('');

function endpointReports(exchanges: Exchange[], redacted: (text: string) => string) {
	return endpoints
		.filter(({ method }) => method === 'get')
		.concat(endpoints.filter(({ method }) => method !== 'get'))
		.flatMap(({ operationId }): EndpointReport[] => {
			const own = exchanges.filter((exchange) => exchange.operationId === operationId);
			if (own.length === 0) return [];
			const shape: Shape = new Map();
			const differs = new Set<string>();
			for (const exchange of own) {
				const { ok, status, data, body } = exchange;
				if (ok) {
					addShape(shape, { data });
					for (const one of differences(operationId, data)) differs.add(one);
				} else {
					const odd = oddity(exchange, redacted);
					if (odd !== undefined) differs.add(odd);
				}
				if (ok && status !== 200) differs.add(`a success has HTTP status ${status}`);
				if (ok && isObject(body)) {
					for (const key of Object.keys(body)) {
						if (!['success', 'data', 'message', 'total'].includes(key)) {
							differs.add(`${redacted(key)} beside data is not in the document`);
						}
					}
				}
			}
			const shown = [...shape].map(([at, types]) => [at, [...types].sort().join(' or ')] as const);
			return [
				{
					...{ operationId, requests: own.length, differs: [...differs] },
					shape: Object.fromEntries(shown),
				},
			];
		});
}

/** What is not documented in a response that is no success: the document has HTTP 200 with a message, and a plain 404. */
function oddity(
	{ operationId, status, headers, body, message }: Exchange,
	redacted: (text: string) => string,
): string | undefined {
	if (status === undefined) return `no response: ${message}`;
	if (operationId === 'oauth.token' && status === 200) return undefined;
	if (operationId === 'recipientGroup.get' && status === 404) return undefined;
	if (isObject(body) && body.success === false) {
		return status === 200 ? undefined : `a failure has HTTP status ${status}: ${redacted(message)}`;
	}
	const type = headers['content-type'] ?? 'no content type';
	return `HTTP status ${status} with ${redacted(type.split(';')[0] ?? type)}`;
}

/** Returns what the checks found, without anything that names a person, a record or a host. */
export function reportOf(exchanges: Exchange[], { asked, stopped }: Result): Report {
	const redacted = redactor(exchanges);
	const switches: Record<string, unknown> = {};
	const needsSwitch: string[] = [];
	for (const { check, answer } of asked) {
		if ('notSeen' in answer) continue;
		if (check.decides && answer.value !== undefined) switches[check.decides] = answer.value;
		if (answer.isNew) needsSwitch.push(redacted(`${check.asks} ${answer.how}`));
	}
	return {
		switches,
		needsSwitch,
		questions: asked.map(({ check: { asks, decides }, answer }) => ({
			...{ asks, ...(decides && { decides }), answer: redacted(sentenceOf(answer)) },
		})),
		endpoints: endpointReports(exchanges, redacted),
		...(stopped !== undefined && { stopped: redacted(stopped) }),
	};
}

/** Returns the report as text for a terminal. */
export function reportText({ endpoints: tried, questions, needsSwitch, stopped }: Report): string {
	const line = (text: string, more: string) => `  ${text.padEnd(30)} ${more}`;
	const lines = ['Endpoints'];
	for (const { operationId, differs } of tried) {
		const [first = 'as documented', ...others] = differs;
		lines.push(line(operationId, differs.length === 0 ? first : `differs: ${first}`));
		for (const other of others.slice(0, 6)) lines.push(line('', `         ${other}`));
		if (others.length > 6)
			lines.push(line('', `         and ${others.length - 6} more in the file`));
	}
	lines.push('', 'Questions that the document leaves open');
	for (const { asks, answer } of questions) lines.push(`  ${asks}`, `      ${answer}`);
	const same = tried.filter(({ differs }) => differs.length === 0).length;
	lines.push(
		'',
		`What works: ${same} of ${tried.length} endpoints as documented${stopped === undefined ? '' : `; stopped: ${stopped}`}.`,
		needsSwitch.length === 0
			? 'What the nodes do not expect: nothing that was seen.'
			: `What the nodes do not expect: ${needsSwitch.join('; ')}.`,
		'What to send: service-report.json, in an issue of the kind "The service behaves differently".',
	);
	return lines.join('\n');
}
