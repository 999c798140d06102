import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import {
	inForm,
	isAnything,
	isText,
	listOf,
	objectOf,
	optional,
} from '../../../sandbox/n8n/form.mts';

/** A tool as n8n offers it to a chat model. */
export interface OfferedTool {
	name: string;
	description?: string;
}

export const isOfferedTool = objectOf<OfferedTool>({
	name: isText,
	description: optional(isText),
});

/** A stand-in for a chat model behind OpenAI's API, on loopback. */
export interface ChatModel {
	/** The base URL for n8n's OpenAI credential. */
	url: string;
	/** What the model calls the tool with, from now on. */
	callWith: (args: Record<string, unknown>) => void;
	/** What came back from the last call of the tool, as the model reads it; undefined while none has. */
	toolAnswer: () => string | undefined;
	/** The tools it was offered last. */
	tools: () => OfferedTool[];
	stop: () => Promise<void>;
}

interface Message {
	role: string;
	content?: unknown;
}

interface CompletionRequest {
	model: string;
	messages: Message[];
	tools?: Array<{ function: OfferedTool }>;
}

const isCompletionRequest = objectOf<CompletionRequest>({
	model: isText,
	messages: listOf(objectOf<Message>({ role: isText, content: isAnything })),
	tools: optional(listOf(objectOf<{ function: OfferedTool }>({ function: isOfferedTool }))),
});

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

/**
 * Starts a model that calls the first tool it is offered, once, and says "Done." when that has answered
 * (POST /chat/completions of OpenAI's API, not streamed).
 */
export async function startChatModel(): Promise<ChatModel> {
	let args: Record<string, unknown> = {};
	let answer: string | undefined;
	let offered: OfferedTool[] = [];

	const complete = ({ messages, tools = [] }: CompletionRequest) => {
		offered = tools.map((tool) => tool.function);
		const last = messages.at(-1);
		if (last?.role === 'tool') {
			answer = typeof last.content === 'string' ? last.content : JSON.stringify(last.content);
			return { finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } };
		}
		const call = {
			id: 'call_1',
			type: 'function',
			function: { name: offered[0]?.name, arguments: JSON.stringify(args) },
		};
		return {
			finish_reason: 'tool_calls',
			message: { role: 'assistant', content: null, tool_calls: [call] },
		};
	};

	const server = createServer((request, response) => {
		void bodyOf(request).then((text) => {
			const body = inForm(isCompletionRequest, JSON.parse(text), 'The request of a completion');
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					id: 'completion_1',
					object: 'chat.completion',
					created: 0,
					model: body.model,
					choices: [{ index: 0, ...complete(body) }],
					usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
				}),
			);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The model has no port');
	return {
		url: `http://127.0.0.1:${address.port}/v1`,
		callWith: (given) => {
			args = given;
			answer = undefined;
		},
		toolAnswer: () => answer,
		tools: () => offered,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
