import { documentedEndpoints } from '../kit/contract.mts';
import { runNode } from '../kit/engine.mts';
import { inMemory } from '../kit/binary.mts';
import { respondWithRecords, useTestServer, type SentRequest } from '../kit/testServer.mts';
import {
	leavesOf,
	operationsOnScreen,
	properties,
	sampleParameters,
	shownIn,
} from '../kit/sampleParameters.mts';

/** Parameters of the node that no endpoint has (docs/development/conventions.md). */
const NODE_ONLY = new Set(
	(
		'returnAll limit recipientsFrom identifyBy questionsInput questionsJson questionsText ' +
		'output binaryPropertyName scope campaignDescription categoriesAsText who safeForSpreadsheets simplify ' +
		'responseType approvalOptions'
	).split(' '),
);

/** Operations that use only the endpoints of other operations, or none. */
const WITHOUT_ENDPOINT = new Set(
	(
		'broadcast.sendAndWait campaign.send channelRecipient.sync hrList.read ' +
		'recipientGroup.getOrCreate recipientGroup.sync survey.getSummary survey.launch survey.remind'
	).split(' '),
);

/** Documented fields that the node sends without a parameter of that name, each with the reason. */
const SENT_OTHERWISE: Record<string, string> = {
	'broadcast.update status': 'always "draft", the only allowed value',
	'survey.create questions.options.branchQuestionId':
		'another name for branchQuestions in the table of the API',
	'survey.update questions.options.branchQuestionId':
		'another name for branchQuestions in the table of the API',
};

/** Endpoints that an operation reads in addition to its own endpoint. */
const ALSO_READS: Record<string, string[]> = {
	'survey.getResponses': ['GET /int/v1/campaign/{}/report'],
	'campaign.create': ['GET /int/v1/recipientGroup/x'],
	'campaign.addRecipients': ['GET /int/v1/recipientGroup/x'],
	'broadcast.create': ['GET /int/v1/recipientGroup/x'],
	'campaign.update': ['GET /int/v1/campaign/{}'],
};

type Seen = { method: string; path: string; fields: Set<string> };

const seen: Seen[] = [];
const recorder = useTestServer((request) => {
	record(request);
	respondWithRecords(request);
});

const endpoints = documentedEndpoints().filter(({ operationId }) => operationId !== 'oauth.token');

test('every endpoint has an operation, and every operation has an endpoint', () => {
	const offered = operationsOnScreen
		.map((names) => names.join('.'))
		.filter((id) => !WITHOUT_ENDPOINT.has(id));
	expect(offered.sort()).toEqual(endpoints.map(({ operationId }) => operationId).sort());
});

test.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
	'%s: every documented field has a parameter that sends it, and every parameter has a documented field',
	async (operationId, endpoint) => {
		const [resource = '', operation = ''] = operationId.split('.');
		const variants = sampleParameters(resource, operation);
		seen.length = 0;
		for (const parameters of variants) {
			const { error } = await runNode({
				credential: recorder.credential,
				parameters,
				items: [{ json: {}, binary: { data: inMemory(Buffer.from('x')) } }],
			});
			expect(error).toBeUndefined();
		}

		const places = new Set(seen.map(({ method, path }) => `${method} ${path}`));
		const own = `${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '{}')}`;
		expect(places).toEqual(new Set([own, ...(ALSO_READS[operationId] ?? [])]));

		const sent = new Set(seen.flatMap(({ fields }) => [...fields]));
		const expected = endpoint.fields.filter(
			(field) => !(`${operationId} ${field}` in SENT_OTHERWISE),
		);
		const unexpected = [...sent].filter((field) => !endpoint.fields.includes(field));
		expect(expected.filter((field) => !sent.has(field))).toEqual([]);
		expect(unexpected).toEqual([]);

		const leaves = new Set(endpoint.fields.map(leafOf));
		const pathParameters = properties
			.filter(({ type }) => type === 'resourceLocator')
			.map(({ name }) => name);
		const names = variants.flatMap(shownIn).flatMap((field) => leavesOf(field));
		const undocumented = [...new Set(names.map((path) => path.at(-1) ?? ''))].filter(
			(name) => !leaves.has(name) && !NODE_ONLY.has(name) && !pathParameters.includes(name),
		);
		expect(undocumented).toEqual(['resource', 'operation']);
	},
);

/** Expressions that return an empty value, for text fields and for lists. */
const NOTHING = ['={{ " " }}', '={{ $json.nothing }}', '={{ [] }}'];

test('refuses an empty required field before anything is sent, and names it', async () => {
	// kinds.slow.test.mts tests blank IDs, and sending.test.mts tests times.
	const others = properties.filter(
		({ required, name, type }) =>
			required && type !== 'resourceLocator' && name !== 'scheduledTime',
	);
	const tested = new Set<string>();
	for (const [resource, operation] of operationsOnScreen) {
		for (const filled of sampleParameters(resource, operation)) {
			for (const property of shownIn(filled)) {
				const { name, displayName } = property;
				const what = `${resource}.${operation} ${name}`;
				if (!others.includes(property) || tested.has(what)) continue;
				tested.add(what);
				for (const nothing of NOTHING) {
					const parameters = { ...filled, [name]: nothing };
					const { error } = await runNode({ credential: recorder.credential, parameters });
					// Error texts may contain only the first word of labels such as "User Name or ID" and "Questions (JSON)".
					const [label = ''] = displayName.split(' ');
					expect([what, nothing, `${error?.message} ${error?.description}`]).toEqual([
						...[what, nothing, expect.stringContaining(label)],
					]);
				}
			}
		}
	}
	expect(recorder.requests).toEqual([]);
	expect(tested.size).toBeGreaterThan(30);
});

const leafOf = (field: string): string => field.split('.').at(-1) ?? field;

function record({ method, path, query, body }: SentRequest): void {
	const fields = new Set(Object.keys(query));
	const parts = typeof body === 'string' ? body : '';
	for (const [, name = ''] of parts.matchAll(/form-data; name="(\w+)"/g)) fields.add(name);
	for (const field of fieldPaths(body)) fields.add(field);
	seen.push({ method, path: path.replace(/ID-\w+/g, '{}'), fields });
}

function fieldPaths(value: unknown, prefix = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => fieldPaths(entry, prefix));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		`${prefix}${name}`,
		...fieldPaths(inner, `${prefix}${name}.`),
	]);
}
