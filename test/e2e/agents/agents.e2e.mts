import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import type { Credential, WorkflowJson, WorkflowNode } from '../../../sandbox/n8n/n8n-rest.mts';
import { packageName } from '../../../sandbox/machine/paths.mts';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '../../../sandbox/sandbox.mts';
import { byId, nodeOf, serviceNode } from '../support/workflow.mts';
import { line } from '../settings.mts';
import { startChatModel, type ChatModel } from './chat-model.mts';
import { McpClient } from './mcp-client.mts';

let sandbox: Sandbox;
let model: ChatModel;
let modelCredential: Credential;

before(
	async () => {
		sandbox = await startSandbox({
			line,
			name: `agents-${line}`,
			fresh: true,
			// n8n 1 offers the nodes of community packages to agents only when it is told to.
			env: { N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true' },
		});
		model = await startChatModel();
		sandbox.cleanups.add(model.stop);
		modelCredential = await sandbox.rest.saveCredential('Chat model', 'openAiApi', {
			apiKey: 'of no use',
			url: model.url,
		});
		// More groups than a list gives without being asked for all.
		for (let number = 1; number <= 60; number++) {
			sandbox.emulator.state.addRecipientGroup(`Listed group ${number}`, []);
		}
	},
	{ timeout: 600_000 },
);
after(async () => await sandbox?.stop());

/** One of our operations as a tool. */
interface ToolCase {
	what: string;
	tool: WorkflowNode;
	/** What the agent calls it with. */
	args: () => Record<string, unknown>;
	/** Looks at what the agent gets. */
	check: (result: string) => void;
}

/** Our node as n8n offers it to agents: a type of its own. */
function toolOf(...args: Parameters<typeof serviceNode>): WorkflowNode {
	return { ...serviceNode(...args), type: `${packageName}.messagingServiceTool` };
}

/** A parameter that the agent fills in. */
function fromAgent(name: string): string {
	return `={{ $fromAI('${name}', '', 'string') }}`;
}

/** The records in what an agent gets, which n8n wraps in several ways. */
function recordsIn(text: string): Array<Record<string, unknown>> {
	const unwrap = (value: unknown): Array<Record<string, unknown>> => {
		if (Array.isArray(value)) return value.flatMap(unwrap);
		const { data: record } = z.record(z.unknown()).safeParse(value);
		if (!record) return [];
		const inner = record.json ?? record.response;
		return inner === undefined ? [record] : unwrap(inner);
	};
	return unwrap(JSON.parse(text));
}

const unknownGroup = '0123456789abcdef01234567';
const cases: ToolCase[] = [
	{
		what: 'a read gives the record',
		tool: toolOf('Get campaign', 'campaign', 'get', { campaignId: byId(fromAgent('campaign')) }),
		args: () => ({ campaign: firstCampaign() }),
		check: (result) => {
			assert.deepEqual(
				recordsIn(result).map(({ _id }) => _id),
				[firstCampaign()],
			);
		},
	},
	{
		what: 'a list gives its records, 50 of them',
		tool: toolOf('List groups', 'recipientGroup', 'getAll', { filters: {} }),
		args: () => ({}),
		check: (result) => {
			const names = recordsIn(result).map(({ name }) => name);
			const groups = [...sandbox.emulator.state.recipientGroups.values()];
			const known: unknown[] = groups.map(({ name }) => name);
			assert.equal(new Set(names).size, 50);
			assert.ok(names.every((name) => known.includes(name)));
		},
	},
	{
		what: 'a write is carried out once, and gives what the service said',
		tool: toolOf('Create group', 'recipientGroup', 'create', {
			name: fromAgent('name'),
			additionalFields: {},
		}),
		args: () => ({ name: 'Made by an agent' }),
		check: (result) => {
			const made = groupsCalled('Made by an agent');
			assert.equal(made.length, 1);
			assert.deepEqual(
				recordsIn(result).map(({ _id }) => _id),
				made,
			);
			sandbox.emulator.state.recipientGroups.delete(made[0] ?? '');
		},
	},
	{
		what: "a refused one gives the service's message and what to do",
		tool: toolOf('Delete group', 'recipientGroup', 'delete', {
			recipientGroupId: byId(fromAgent('group')),
		}),
		args: () => ({ group: unknownGroup }),
		check: (result) => {
			assert.match(result, /Object does not exist/);
			assert.match(result, /There is no recipient group with this ID/);
		},
	},
	{
		what: 'Sync refuses where it would not see all items, and names what an agent can do instead',
		tool: toolOf('Sync group', 'recipientGroup', 'sync', {
			recipientGroupId: byId(unknownGroup),
			identifyBy: 'email',
			recipient: fromAgent('recipient'),
			mode: 'add',
			options: {},
		}),
		args: () => ({ recipient: 'somebody@example.com' }),
		check: (result) => {
			assert.match(result, /Add Recipients/);
		},
	},
];

function firstCampaign(): string {
	const [campaign] = sandbox.emulator.state.campaigns.values();
	return campaign?._id ?? '';
}

function groupsCalled(wanted: string): string[] {
	const groups = [...sandbox.emulator.state.recipientGroups.values()];
	return groups.filter(({ name }) => name === wanted).map(({ _id }) => _id);
}

/** An agent with the chat model and one tool, started by a click. */
function agentWorkflow(version: number, tool: WorkflowNode): WorkflowJson {
	const start = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const agent = nodeOf('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
		promptType: 'define',
		text: 'Go',
		options: { enableStreaming: false },
	});
	const chat = nodeOf(
		'Chat model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		1.2,
		{ model: { __rl: true, mode: 'id', value: 'stand-in' }, options: { maxRetries: 0 } },
		{ credentials: { openAiApi: { id: modelCredential.id, name: modelCredential.name } } },
	);
	const into = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	return {
		name: `Agent ${version}, ${tool.name}`,
		nodes: [start, agent, chat, tool],
		connections: {
			Start: into('main'),
			'Chat model': into('ai_languageModel'),
			[tool.name]: into('ai_tool'),
		},
		settings: { executionOrder: 'v1' },
	};
}

/** The agents that ship with the n8n of this line: 2.x calls tools itself, 3.x has n8n's engine do it. */
const agentVersions = [2.2, 3];

for (const version of agentVersions) {
	describe(`AI Agent ${version}`, () => {
		for (const { what, tool, args, check } of cases) {
			test(what, async () => {
				model.callWith(args());
				await sandbox.runWorkflow(agentWorkflow(version, tool), 'Start');
				check(model.toolResult() ?? '');
				assert.deepEqual(sandbox.emulator.violations, []);
			});
		}
	});
}

/** n8n 2 makes a human review of Send and Wait, which stands between an agent and a tool; n8n 1 has none. */
describe('human review', { skip: line === '1' }, () => {
	for (const [decision, made] of [
		['approve', 1],
		['decline', 0],
	] as const) {
		test(`a tool is held until somebody responds: ${decision}`, async () => {
			const { emulator } = sandbox;
			const name = `Made after ${decision}`;
			const tool = toolOf('Create group', 'recipientGroup', 'create', { name: fromAgent('name') });
			const [approver] = emulator.state.people.values();
			const review = {
				...serviceNode('Review', 'broadcast', 'sendAndWait', {
					title: 'May the agent do this?',
					message: '=Run {{ $tool.name }}?',
					recipientsFrom: 'emails',
					recipientEmails: approver?.email ?? '',
					responseType: 'approval',
					approvalOptions: { values: { approvalType: 'double' } },
				}),
				type: `${packageName}.messagingServiceHitlTool`,
			};
			const workflow = agentWorkflow(3, tool);
			workflow.nodes.push(review);
			const { [tool.name]: intoAgent } = workflow.connections;
			workflow.connections.Review = intoAgent;
			workflow.connections[tool.name] = {
				ai_tool: [[{ node: 'Review', type: 'ai_tool', index: 0 }]],
			};
			// As n8n describes a reviewed tool to the model.
			model.callWith({ toolParameters: { name } });
			const known = new Set([...emulator.state.broadcasts.values()]);
			const running = sandbox.runWorkflow(workflow, 'Start');
			const asked = await pWaitFor(
				() => {
					const found = [...emulator.state.broadcasts.values()].find((one) => !known.has(one));
					return found ? pWaitFor.resolveWith(found) : false;
				},
				{ interval: 50, timeout: 30_000 },
			);
			assert.equal(asked.message, 'Run Create_group?');
			assert.deepEqual(groupsCalled(name), []);
			await pWaitFor(
				async () => {
					const response = await fetch(String(asked.actionLink), {
						method: 'POST',
						body: new URLSearchParams({ decision }),
					});
					return (await response.text()).includes('was recorded');
				},
				{ interval: 200, timeout: 20_000 },
			);
			await running;
			assert.equal(groupsCalled(name).length, made);
			if (decision === 'decline') assert.match(model.toolResult() ?? '', /rejected/);
		});
	}
});

describe('MCP Server Trigger', () => {
	let client: McpClient;
	before(async () => {
		const path = 'messaging';
		const trigger = nodeOf(
			'MCP',
			'@n8n/n8n-nodes-langchain.mcpTrigger',
			2,
			{ path, authentication: 'none' },
			{ webhookId: path },
		);
		const tools = cases.map(({ tool }) => tool);
		const intoTrigger = { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] };
		const connections = tools.map(({ name }) => [name, intoTrigger] as const);
		const id = await sandbox.saveWorkflow({
			name: 'MCP',
			nodes: [trigger, ...tools],
			connections: Object.fromEntries(connections),
			settings: { executionOrder: 'v1' },
		});
		await sandbox.rest.activate(id);
		// n8n 2 switches a workflow on in the background; until then nobody knows the address.
		const connected = async () => {
			client = new McpClient(`${sandbox.editorUrl}/mcp/${path}`);
			return await client.connect().then(
				() => true,
				() => false,
			);
		};
		await pWaitFor(connected, { interval: 200, timeout: 60_000 });
	});

	test('describes every tool', async () => {
		const tools = await client.tools();
		assert.deepEqual(tools.map(({ name }) => name).sort(), cases.map(toolName).sort());
		for (const { name, description } of tools) assert.ok(description, name);
	});

	for (const one of cases) {
		test(one.what, async () => {
			one.check(await client.callTool(toolName(one), one.args()));
			assert.deepEqual(sandbox.emulator.violations, []);
		});
	}
});

function toolName({ tool }: ToolCase): string {
	return tool.name.replaceAll(' ', '_');
}
