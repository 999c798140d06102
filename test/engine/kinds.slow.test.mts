import { isDeepStrictEqual } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { inMemory } from '../kit/binary.mts';
import { runNode } from '../kit/engine.mts';
import {
	leavesOf,
	operationsOnScreen,
	sampleParameters,
	shownIn,
} from '../kit/sampleParameters.mts';
import { respondWithRecords, useTestServer } from '../kit/testServer.mts';
import { isObject, itemJson } from '../kit/typed.mts';

/** The kind of every field (docs/development/conventions.md): of all fields with this name, or at this path. */
const KINDS: Record<string, string> = {
	address: 'emailReplyTo senderUserEmail ownerUserEmail email',
	addresses: 'recipientEmails',
	syncPerson: 'recipient',
	list: 'recipientGroups recipientIds leads sharedGroups lists permissions categories',
	people: 'recipients user',
	questionList: 'enpsQuestions',
	conditions: 'additionalFields.conditions',
	title: 'title name firstName lastName',
	webAddress: 'imageUrl',
	line: 'actionLink actionLinkText emoji category text_color text_width input_color input_width required_color next_button_text_color next_button_background_color prev_button_text_color prev_button_background_color',
	text: 'message campaignDescription description',
	// Of the page that Send and Wait shows.
	label: 'approveLabel',
	name: 'recipientGroup.getOrCreate.name recipientGroup.create.name breakDownBy',
	// Of a drop-down list.
	recordId: 'templateId template',
	id: 'draftId campaignId broadcastId channelId recipientGroupId groupId fileId',
	status: 'filters.status commentVisibility',
	choice:
		'status recipientsFrom responseType identifyBy mode media output who scope questionsInput approvalType limitType resumeUnit page_button_position text_position input_position',
	switch:
		'simplify returnAll requiredConfirm contentInEmail enableEmail enableMobileNotification enableAppNotification enableSms enableComment categoriesAsText reset deleteFileInUse own dryRun createMissingGroups exclusiveGroupsAreSafe removeDespiteInvalid onlyOnceClosed includeEverybody safeForSpreadsheets sendNow show_questions_individually show_user_response full_height adaptive_height',
	number:
		'limit maxRemovalPercent maxNewGroups chunkSize concurrency minimumComments minimumResponses resumeAmount',
	date: 'minLiveDate maxLiveDate',
	json: 'templateData conditions',
	jsonList: 'questionsJson',
	// The tests of survey questions.
	question:
		'questionsText templateCode questions.question.title required fork matrixQuestions value branchQuestions desc placeholder layout hideText zeroLabel tenLabel min max decimal branch questionId',
	// Only read with other choices than those of the samples, or in the tests of files and of sending.
	other: 'disapproveLabel binaryPropertyName scheduledTime maxDateAndTime',
};

const kindByName = new Map(
	Object.entries(KINDS).flatMap(([kind, names]) =>
		names.split(' ').map((name) => [name, kind] as const),
	),
);

/** Expected for a value that is not sent. */
const ABSENT = undefined;

/** The same expected error for several values. */
const refused = (error: RegExp, ...values: unknown[]) =>
	values.map((value): [unknown, RegExp] => [value, error]);

/** Numbers without their last digits, as JavaScript and spreadsheets write them. */
const ROUNDED = refused(
	/is a long number without its last digits/,
	...[1e21, 2 ** 53, '1.23457E+16', '5E+23', ' 6,5e+23 '],
);
const ROUNDED_IN_LIST = [
	...ROUNDED,
	...refused(/is a long number without its last digits/, ['1.2E+20', 'a'], '[1e21]', [1e17]),
];

const OBJECT = 'Contact {{ $json.person }}: [object Object]';
const ADA = 'ada@x.io';

/** Values by kind, each with what is sent or with the error. */
const CASES: Record<string, Array<[given: unknown, expected: unknown]>> = {
	address: [
		['Lovelace, Ada <ada@x.io>', ADA],
		[' \u200bmailto:Ada@x.io ; ', 'Ada@x.io'],
		['ada', /contains an invalid email address: "ada"/],
		['ada@x.io; grace@x.io', /takes one email address, not several/],
		[{ email: ADA }, /must be a list of texts/],
	],
	addresses: [
		["Lovelace, Ada (HR, Oslo) <ada@x.io>; 'grace@x.io' <grace@x.io>", [ADA, 'grace@x.io']],
		['["Ada@x.io", "ADA@x.io."]', ['Ada@x.io']],
		[' , ;', /^Recipient Emails is empty/],
		['ada@x.io, n/a', /invalid email address: "n\/a"/],
		...refused(/invalid/, 'Bo, Jo, Ada <a@x.io>', '"Doe, Jo", Ada <a@x.io>', 'HR-1, Ada <a@x.io>'),
	],
	list: [
		['["a, b", "c", "c"]', ['a, b', 'c']],
		['[HR] a, [IT]', /looks like a JSON list/],
		[{ id: 'a' }, /must be a list of texts/],
		...ROUNDED_IN_LIST,
		// Digits in JSON stay exact.
		['[9999999999999999, 7]', ['9999999999999999', '7']],
		[12345678901234, ['12345678901234']],
		['1e10, 12E5, 64e1, 98765432109876543210', ['1e10', '12E5', '64e1', '98765432109876543210']],
	],
	questionList: [
		['["a", b]', /looks like a JSON list/],
		...refused(/must be a list of texts/, { id: 'a' }, ['a', ['b']], 'a, [object Object]'),
	],
	people: [
		['Lovelace, Ada <mailto:ada@x.io>', [ADA]],
		[' \u200bAda.L ', ['Ada.L']],
		...refused(/invalid email address/, 'ada@', 'jdoe, Rick <ada@x.io>', 'A, B, C <ada@x.io>'),
		['Ada <ada>', /invalid email address: "Ada <ada>"/],
		[{ email: ADA }, /must be/],
		...ROUNDED,
		['64e1', ['64e1']],
	],
	conditions: [
		['{"team":"a, b"}', ['{"team":"a, b"}']],
		...refused(/contains an empty condition/, '{}', '[ null ]', '[{}]', '["{}"]', 'team = a\n{}'),
		[{}, /must be a list of texts/],
		[['a', '{}'], /contains an empty condition/],
	],
	title: [
		[' \u200bCafé\r\n at noon\u00a0', 'Café at noon'],
		[7, '7'],
		[OBJECT.replace('=', ''), /contains "\[object Object\]"/],
		[{ a: 1 }, /must be text/],
		[['a'], /must be text/],
	],
	line: [
		[' a b\u00a0\n', 'a b'],
		['a\nb', /must be one line/],
		['x[object Object]', /contains "\[object Object\]"/],
		['at Invalid DateTime', /contains "Invalid DateTime"/],
		[{ a: 1 }, /must be text/],
	],
	text: [
		[' a\n b ', ' a\n b '],
		[OBJECT, /contains "\[object Object\]"/],
		[{ a: 1 }, /must be text/],
		[NaN, /contains NaN/],
	],
	label: [
		[OBJECT, /contains "\[object Object\]"/],
		[{ a: 1 }, /must be text/],
	],
	name: [
		...refused(/is empty/, undefined, null, ' \u200b'),
		...refused(/ is .+, which is not a name/, ['Sales', 'Ops'], { name: 'Sales' }, true, NaN),
		...refused(/ is .+, which is not a name/, '[object Object]', '-', 'N/A', 'none', 'null'),
		...refused(/ is .+, which is not a name/, 'undefined', 'NaN', '= {{ $json.a'),
	],
	choice: refused(/ must be /, undefined, null, '', 'nonsense', {}),
	status: refused(
		/ must be (Closed, Draft, Live or Scheduled|Campaign Team Only(, All Recipients)? or \w+)/,
		...[undefined, null, '', '7'],
	),
	switch: refused(/ must be on or off/, undefined, null, '', 'on'),
	number: refused(/ must be /, null, '', 'few', 0, true, []),
	date: [
		['2099-01-15T00:30', '2099-01-14T23:30:00.000Z'],
		['week 7', /is not a date/],
	],
	json: [
		[' {"a": 1}', '{"a": 1}'],
		['{', /is not valid JSON/],
		['{"a":"[object Object]"}', /contains "\[object Object\]"/],
	],
	webAddress: [
		[' HTTPS://x.io/a.png\n', 'HTTPS://x.io/a.png'],
		...refused(/must begin with https:\/\/ or http:\/\//, '/file/1', 'x.io/a.png', 'https:///a'),
		['https://x.io/a\nb', /must be one line/],
	],
	recordId: [...ROUNDED, [' 64e1 ', '64e1'], [12, '12'], ['a\nb', /must be one line/]],
	jsonList: [['{', /is not valid JSON/]],
	id: [
		...refused(/ is (missing|empty)| contains NaN/, ' ', NaN, null),
		['..', /(is not an ID|was not found)/],
		...ROUNDED,
	],
	/** A field that can be added. */
	addition: [[' ', ABSENT]],
	listInAddition: [[[], ABSENT]],
	/** A field of an update. */
	update: [
		[undefined, ABSENT],
		[null, ABSENT],
		['', ''],
	],
	updateOfList: [
		[undefined, ABSENT],
		[[undefined], ABSENT],
		[[], []],
	],
	/** A filter that was added. */
	filter: [
		[undefined, /has no value/],
		[null, /has no value/],
		['', ABSENT],
	],
};

/** A field of an operation, with parameters that show it. */
type Place = {
	operation: string;
	/** For example `['additionalFields', 'title']`. */
	path: string[];
	parameters: INodeParameters;
	/** Whether the field is a resource locator in the mode By Name. */
	isNamed?: boolean;
};

const recorder = useTestServer(respondWithRecords);

const places = new Map<string, Place>();
for (const [resource, operation] of operationsOnScreen) {
	// Sends nothing: see hrList.
	if (resource === 'hrList') continue;
	for (const parameters of sampleParameters(resource, operation)) {
		// The sample continues with a draft, and asks for a closed survey.
		if (isObject(parameters.options)) {
			for (const name of ['draftId', 'onlyOnceClosed'])
				Reflect.deleteProperty(parameters.options, name);
		}
		for (const property of shownIn(parameters)) {
			if (['resource', 'operation'].includes(property.name)) continue;
			for (const path of leavesOf(property)) {
				const key = `${resource}.${operation}.${path.join('.')}`;
				if (places.has(key)) continue;
				const place: Place = { operation: `${resource}.${operation}`, path, parameters };
				places.set(key, place);
				const isNamed = property.modes?.some(({ name }) => name === 'name');
				if (isNamed) places.set(`${key} By Name`, { ...place, isNamed });
			}
		}
	}
}

/** Returns the kind of a field: by its operation and path, by its path, or by its name. */
function kindOf({ operation, path, isNamed }: Place): string | undefined {
	if (isNamed) return 'name';
	const names = [[operation, ...path], path, path.slice(-1)].map((parts) => parts.join('.'));
	return names.map((name) => kindByName.get(name)).find((kind) => kind !== undefined);
}

const OPTIONAL = ['address', 'title', 'line', 'text', 'json', 'date', 'webAddress', 'recordId'];

/** Returns the cases of a field: of its kind, and of an update or a filter. */
function casesOf(place: Place) {
	const kind = kindOf(place) ?? '';
	const own = CASES[kind] ?? [];
	const [top] = place.path;
	const isOptional = OPTIONAL.includes(kind);
	if (top === 'updateFields' && kind === 'list') return [...own, ...(CASES.updateOfList ?? [])];
	if (top === 'updateFields' && isOptional) return [...own, ...(CASES.update ?? [])];
	const isAddition = top === 'additionalFields' || top === 'surveySettings';
	if (isAddition && kind === 'list') return [...own, ...(CASES.listInAddition ?? [])];
	if (isAddition && isOptional) return [...own, ...(CASES.addition ?? [])];
	return top === 'filters' && isOptional ? [...own, ...(CASES.filter ?? [])] : own;
}

test('every field of every operation has a kind, and every kind has fields', () => {
	const without = [...places.entries()].filter(([, place]) => !kindOf(place));
	expect(without.map(([key]) => key)).toEqual([]);
	const used = new Set([...places.values()].map(kindOf));
	expect(Object.keys(KINDS).filter((kind) => !used.has(kind))).toEqual([]);
});

/** Operations that read their fields elsewhere. Their own tests cover them. */
const ELSEWHERE = /^(recipientGroup\.sync|channelRecipient\.sync)$/;

type Way = 'form' | 'expression';

/** At night, each field gets every case of its kind. Otherwise a third, and neighbours get different cases. */
const SHARE = process.env.NIGHTLY ? 1 : 3;

/** Runs an operation with a value in one field. Returns the error, and the number of requests. */
async function run(
	parameters: INodeParameters,
	path: string[],
	value: unknown,
	{ given, asTool }: { given?: unknown; asTool?: boolean } = {},
) {
	recorder.clear();
	const { items, error } = await runNode({
		credential: recorder.credential,
		parameters: withValue(parameters, path, value),
		items: [{ json: itemJson({ given }), binary: { data: inMemory(Buffer.from('x')) } }],
		asTool,
	});
	return { error: error?.message ?? items[0]?.json.error, requests: recorder.requests.length };
}

/** Runs an operation with a value in one field. Returns what is on the wire under the name of the field, or the error. */
async function outcome(place: Place, given: unknown, way: Way) {
	const { path, parameters, isNamed } = place;
	const value = way === 'form' ? given : '={{ $json.given }}';
	const isLocator = isNamed === true || (kindOf(place) === 'id' && path.length === 1);
	const mode = isNamed ? 'name' : 'id';
	const filled = isLocator ? { __rl: true, mode, value } : value;
	const result = await run(parameters, path, filled, { given });
	if (result.error !== undefined) return { ...result, sent: undefined };
	const name = path.at(-1) ?? '';
	const wire = name === 'campaignDescription' ? 'description' : name;
	const sent = recorder.sent.map(({ query, body }) => found({ query, body }, wire));
	const first = sent.find((one) => one !== undefined);
	return { ...result, sent: name === 'user' && first ? [first].flat() : first };
}

/** Returns the first value of this name that is a text or a list, outside of questions. A list may be sent as JSON. */
function found(value: unknown, name: string): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	const own: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
	if (typeof own === 'string' && /^\[["\]]/.test(own)) return JSON.parse(own);
	if (own !== undefined && !isObject(own)) return own;
	return Object.entries(value)
		.map(([key, inner]) => (key === 'questions' ? undefined : found(inner, name)))
		.find((inner) => inner !== undefined);
}

function withValue(parameters: INodeParameters, path: string[], value: unknown): INodeParameters {
	const copy = structuredClone(parameters);
	let at: Record<string, unknown> = copy;
	for (const name of path.slice(0, -1)) {
		const [inner]: unknown[] = [at[name]].flat();
		if (isObject(inner)) at = inner;
	}
	at[path.at(-1) ?? ''] = value;
	return copy;
}

test.each(['form', 'expression'] as const)(
	'a value means the same in every field of its kind: by %s',
	async (way) => {
		const wrong: unknown[] = [];
		let tested = 0;
		for (const [index, [key, place]] of [...places].entries()) {
			if (ELSEWHERE.test(place.operation)) continue;
			for (const [number, [given, expected]] of casesOf(place).entries()) {
				if ((number + index) % SHARE !== 0) continue;
				// A form holds texts and lists of texts.
				const isTyped =
					typeof given === 'string'
						? !given.includes('{{')
						: Array.isArray(given) && given.every((one) => typeof one === 'string');
				if (way === 'form' && !isTyped) continue;
				const { sent, error, requests } = await outcome(place, given, way);
				tested++;
				const isRight =
					expected instanceof RegExp
						? requests === 0 && expected.test(String(error))
						: error === undefined && isDeepStrictEqual(sent, expected);
				if (!isRight)
					wrong.push(
						`${key} ${JSON.stringify(given)}: ${String(expected)}, not ${JSON.stringify(sent) ?? error}`,
					);
			}
		}
		expect(wrong).toEqual([]);
		expect(tested).toBeGreaterThan(150);
	},
	600_000,
);
