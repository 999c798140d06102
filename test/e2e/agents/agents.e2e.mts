import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { z } from 'zod';
import { packageName } from '../../../local-n8n/machine/paths.mts';
import type { Credential, WorkflowJson, WorkflowNode } from '../../../local-n8n/n8n/n8n-rest.mts';
import {
	locatorById,
	manualStart,
	nodeOf,
	serviceNode,
	to,
} from '../../../local-n8n/n8n/workflow.mts';
import { startLocalN8n, type LocalN8n } from '../../../local-n8n/local-n8n.mts';
import { askNode, nextBroadcast, submit } from '../support/broadcasts.mts';
import { startChatModel, type ChatModel } from '../support/chat-model.mts';
import { line } from '../settings.mts';

let localN8n: LocalN8n;
let model: ChatModel;
let modelCredential: Credential;

before(
	async () => {
		localN8n = await startLocalN8n({
			line,
			name: `agents-${line}`,
			fresh: true,
		});
		model = await startChatModel();
		localN8n.cleanups.add(model.stop);
		modelCredential = await localN8n.rest.saveCredential('Chat model', 'openAiApi', {
			apiKey: 'unused',
			url: model.url,
		});
		// More groups than a list returns by default.
		for (let number = 1; number <= 60; number++) {
			localN8n.emulator.state.addRecipientGroup(`Listed group ${number}`, []);
		}
	},
	{ timeout: 600_000 },
);
after(async () => await localN8n?.stop());

interface ToolCase {
	what: string;
	tool: WorkflowNode;
	args: () => Record<string, unknown>;
	check: (result: string) => void;
}

/** Returns our node as a tool, which is a separate node type in n8n. */
function toolOf(...args: Parameters<typeof serviceNode>): WorkflowNode {
	return { ...serviceNode(...args), type: `${packageName}.messagingServiceTool` };
}

/** Returns an expression for a parameter that the agent fills in. */
function fromAgent(name: string): string {
	return `={{ $fromAI('${name}', '', 'string') }}`;
}

/** Extracts the records from a tool result, which n8n wraps in several ways. */
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

const idsIn = (text: string) => recordsIn(text).map(({ _id }) => _id);

const unknownGroup = '0123456789abcdef01234567';
const cases: ToolCase[] = [
	{
		what: 'a read returns the record',
		tool: toolOf('Get campaign', 'campaign', 'get', {
			campaignId: locatorById(fromAgent('campaign')),
		}),
		args: () => ({ campaign: firstCampaign() }),
		check: (result) => assert.deepEqual(idsIn(result), [firstCampaign()]),
	},
	{
		what: 'a list returns 50 records',
		tool: toolOf('List groups', 'recipientGroup', 'getAll', { filters: {} }),
		args: () => ({}),
		check: (result) => {
			const { recipientGroups } = localN8n.emulator.state;
			const ids = new Set(idsIn(result).map(String));
			assert.equal(ids.size, 50);
			for (const id of ids) assert.ok(recipientGroups.has(id));
		},
	},
	{
		what: 'a change is carried out once and returns the record',
		tool: toolOf('Create group', 'recipientGroup', 'create', {
			name: fromAgent('name'),
			additionalFields: {},
		}),
		args: () => ({ name: 'Made by an agent' }),
		check: (result) => {
			const made = groupsCalled('Made by an agent');
			assert.equal(made.length, 1);
			assert.deepEqual(idsIn(result), made);
			localN8n.emulator.state.recipientGroups.delete(made[0] ?? '');
		},
	},
	{
		what: "a refused call returns the service's message and advice",
		tool: toolOf('Delete group', 'recipientGroup', 'delete', {
			recipientGroupId: locatorById(fromAgent('group')),
		}),
		args: () => ({ group: unknownGroup }),
		check: (result) => {
			assert.match(result, /Object does not exist/);
			assert.match(result, /No recipient group has this ID/);
		},
	},
];

function firstCampaign(): string {
	const [campaign] = localN8n.emulator.state.campaigns.values();
	return campaign?._id ?? '';
}

function groupsCalled(wanted: string): string[] {
	const groups = [...localN8n.emulator.state.recipientGroups.values()];
	return groups.filter(({ name }) => name === wanted).map(({ _id }) => _id);
}

/** Returns a workflow of an agent with the chat model and one tool. */
function agentWorkflow(version: number, tool: WorkflowNode): WorkflowJson {
	const agent = nodeOf('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
		promptType: 'define',
		text: 'Go',
		options: { enableStreaming: false },
	});
	const { id, name } = modelCredential;
	const chat = nodeOf(
		'Chat model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		1.2,
		{ model: { __rl: true, mode: 'id', value: 'simulated' }, options: { maxRetries: 0 } },
		{ credentials: { openAiApi: { id, name } } },
	);
	return {
		name: `Agent ${version}, ${tool.name}`,
		nodes: [manualStart, agent, chat, tool],
		connections: {
			[manualStart.name]: into('Agent', 'main'),
			[chat.name]: into('Agent', 'ai_languageModel'),
			[tool.name]: into('Agent', 'ai_tool'),
		},
		settings: { executionOrder: 'v1' },
	};
}

const into = (node: string, type: string) => ({ [type]: [to(node, type)] });

// Agent 2.x calls tools itself. For agent 3.x, n8n's engine calls the tools.
for (const version of [2.2, 3]) {
	describe(`AI Agent ${version}`, () => {
		for (const { what, tool, args, check } of cases) {
			test(what, async () => {
				model.callWith(args());
				await localN8n.runWorkflow(agentWorkflow(version, tool), manualStart.name);
				check(model.toolResult() ?? '');
				assert.deepEqual(localN8n.emulator.violations, []);
			});
		}
	});
}

/** n8n 2 can use Send and Wait as a human review between an agent and a tool. n8n 1 has no human review. */
describe('human review', { skip: line === '1' }, () => {
	for (const [decision, made] of [
		['approve', 1],
		['decline', 0],
	] as const) {
		test(`a tool waits for a response, and runs only if a person approves it: ${decision}`, async () => {
			const name = `Made after ${decision}`;
			const tool = toolOf('Create group', 'recipientGroup', 'create', { name: fromAgent('name') });
			const ask = askNode(localN8n, {
				message: '=Run {{ $tool.name }}?',
				responseType: 'approval',
				approvalOptions: { values: { approvalType: 'double' } },
			});
			const workflow = agentWorkflow(3, tool);
			workflow.nodes.push({ ...ask, type: `${packageName}.messagingServiceHitlTool` });
			workflow.connections[tool.name] = into(ask.name, 'ai_tool');
			workflow.connections[ask.name] = into('Agent', 'ai_tool');
			// n8n expects the arguments of a reviewed tool under `toolParameters`.
			model.callWith({ toolParameters: { name } });
			let running: Promise<unknown> | undefined;
			const { broadcast, link } = await nextBroadcast(localN8n, () => {
				running = localN8n.runWorkflow(workflow, manualStart.name);
			});
			assert.equal(broadcast.message, 'Run Create_group?');
			assert.deepEqual(groupsCalled(name), []);
			await pWaitFor(async () => (await submit(link, { decision })).includes('was recorded'), {
				interval: 200,
				timeout: 20_000,
			});
			await running;
			assert.equal(groupsCalled(name).length, made);
			if (decision === 'decline') assert.match(model.toolResult() ?? '', /rejected/);
		});
	}
});
