import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { documentedEndpoints } from '../kit/contract.mts';
import { loadPackage, runNode } from '../kit/engine.mts';
import { useTestServer, type SentRequest } from '../kit/testServer.mts';
import { operationsOf, parameterNames, sampleParameters } from '../kit/sampleParameters.mts';

/** Parameters of the node that no endpoint has (docs/conventions.md). */
const NODE_ONLY = new Set([
	'returnAll',
	'limit',
	'recipientsFrom',
	'identifyBy',
	'questionsInput',
	'questionsJson',
	'questionsText',
	'output',
	'binaryPropertyName',
	'scope',
	'campaignDescription',
	'categoriesAsText',
	'who',
	'simplify',
	'responseType',
	'approvalOptions',
]);

/** Operations without their own endpoint: they use the endpoints of other operations. */
const WITHOUT_ENDPOINT = new Set([
	'broadcast.sendAndWait',
	'campaign.send',
	'recipientGroup.getOrCreate',
	'recipientGroup.sync',
	'survey.getSummary',
	'survey.launch',
]);

/** Documented fields that the node sends without a parameter of that name, each with the reason. */
const SENT_OTHERWISE: Record<string, string> = {
	'broadcast.update status': 'always "draft", the only allowed value',
	'survey.create questions.options.branchQuestionId':
		'another name for branchQuestions in the table of the API',
	'survey.update questions.options.branchQuestionId':
		'another name for branchQuestions in the table of the API',
};

/** Endpoints that an operation reads besides its own. */
const ALSO_READS: Record<string, string[]> = {
	'survey.getResponses': ['GET /int/v1/campaign/{}/report'],
};

type Seen = { method: string; path: string; fields: Set<string> };

/** The requests received during a test. */
const seen: Seen[] = [];
const recorder = useTestServer((request) => request.respond(dataFor(request)));

test('matches every endpoint to an operation, and every operation to an endpoint', async () => {
	const documented = documentedEndpoints()
		.map(({ operationId }) => operationId)
		.filter((id) => id !== 'oauth.token');
	const offered = (await operations()).filter((id) => !WITHOUT_ENDPOINT.has(id));
	expect(offered.sort()).toEqual(documented.sort());
});

test('finds a test in test/engine for every operation, not counting tests that run all operations', async () => {
	const folder = 'test/engine';
	const tried = new Set(
		readdirSync(folder)
			.filter((file) => !['coverage.test.mts', 'samples.slow.test.mts'].includes(file))
			.flatMap((file) => operationsRunIn(file, readFileSync(join(folder, file), 'utf8'))),
	);
	expect((await operations()).filter((id) => !tried.has(id))).toEqual([]);
});

describe('every documented field has a parameter that sends it, and every parameter has a documented field', () => {
	const endpoints = documentedEndpoints().filter(
		({ operationId }) => operationId !== 'oauth.token',
	);

	test.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
		'%s',
		async (operationId, endpoint) => {
			const [resource = '', operation = ''] = operationId.split('.');
			const { properties } = (await loadPackage()).node('messagingService').description;
			const variants = sampleParameters(properties, resource, operation);
			seen.length = 0;
			for (const parameters of variants) {
				const { error } = await runNode({
					credential: recorder.credential,
					parameters,
					items: [
						{
							json: {},
							binary: { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'a.txt' } },
						},
					],
				});
				expect(error).toBeUndefined();
			}

			const places = new Set(seen.map(({ method, path }) => `${method} ${path}`));
			expect([...places]).toEqual([
				`${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '{}')}`,
				...(ALSO_READS[operationId] ?? []),
			]);

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
			const undocumented = parameterNames(properties, variants)
				.map(leafOf)
				.filter(
					(name) => !leaves.has(name) && !NODE_ONLY.has(name) && !pathParameters.includes(name),
				)
				.filter((name) => !CONTAINERS.has(name));
			expect(undocumented).toEqual(['resource', 'operation']);
		},
	);
});

/** Collections that only group parameters on the screen. */
const CONTAINERS = new Set(['additionalFields', 'updateFields', 'filters', 'options']);

const leafOf = (field: string): string => field.split('.').at(-1) ?? field;

async function operations(): Promise<string[]> {
	const { properties } = (await loadPackage()).node('messagingService').description;
	return operationsOf(properties).map((names) => names.join('.'));
}

/**
 * Returns the operations that a test file runs. Finds calls such as `run('campaign', 'get')`, and objects with `resource`
 * and `operation`. In files.test.mts, `run` takes only the operation, because each test covers campaigns and broadcasts.
 */
function operationsRunIn(file: string, text: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && /\brun$/.test(node.expression.getText())) {
			const [first = '', second = ''] = node.arguments.map(textOf);
			if (file !== 'files.test.mts') found.push(`${first}.${second}`);
			else found.push(`campaignFile.${first}`, `broadcastFile.${first}`);
		}
		if (ts.isObjectLiteralExpression(node)) {
			const [resource, operation] = ['resource', 'operation'].map((name) => {
				const property = node.properties.find((each) => each.name?.getText() === name);
				return property && ts.isPropertyAssignment(property) ? textOf(property.initializer) : '';
			});
			found.push(`${resource}.${operation}`);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
	return found;
}

const textOf = (node: ts.Node): string => (ts.isStringLiteralLike(node) ? node.text : '');

/** Records a request and returns the data for its response. */
function dataFor({ method, path: requestPath, query, body }: SentRequest): unknown {
	const path = requestPath.replace(/ID-\w+/g, '{}');
	const fields = new Set(Object.keys(query));
	const parts = typeof body === 'string' ? body : '';
	for (const [, name = ''] of parts.matchAll(/form-data; name="(\w+)"/g)) fields.add(name);
	for (const field of fieldsIn(body)) fields.add(field);
	const first = !seen.some(
		(other) => other.method === method && other.path === path && other.fields.has('previousLastId'),
	);
	seen.push({ method, path, fields });
	if (path.endsWith('/surveyData')) return { name: 'S', questions: [], result: [] };
	const isList = method === 'GET' && !path.endsWith('{}') && !/report$|me$/.test(path);
	if (!isList) return {};
	return first && !fields.has('previousLastId') && !Number(query.skip) ? [{ _id: 'r1' }] : [];
}

function fieldsIn(value: unknown, prefix = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => fieldsIn(entry, prefix));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		`${prefix}${name}`,
		...fieldsIn(inner, `${prefix}${name}.`),
	]);
}
