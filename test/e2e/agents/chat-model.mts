import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

/** A tool as n8n offers it to a chat model. */
export const offeredTool = z.object({ name: z.string(), description: z.string().optional() });

export type OfferedTool = z.infer<typeof offeredTool>;

/** A stand-in for a chat model behind OpenAI's API, on loopback. */
export interface ChatModel {
	/** The base URL for n8n's OpenAI credential. */
	url: string;
	/** What the model calls the tool with, from now on. */
	callWith: (args: Record<string, unknown>) => void;
	/** The result of the last call of the tool, as the model reads it; undefined while there is none. */
	toolResult: () => string | undefined;
	stop: () => Promise<void>;
}

const completionRequest = z.object({
	model: z.string(),
	messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
	tools: z.array(z.object({ function: offeredTool })).default([]),
});

/**
 * Starts a model that calls the first tool it is offered, once, and says "Done." when it has the result
 * (POST /chat/completions of OpenAI's API, not streamed).
 */
export async function startChatModel(): Promise<ChatModel> {
	let args: Record<string, unknown> = {};
	let toolResult: string | undefined;

	const complete = ({ messages, tools }: z.infer<typeof completionRequest>) => {
		const last = messages.at(-1);
		if (last?.role === 'tool') {
			toolResult = typeof last.content === 'string' ? last.content : JSON.stringify(last.content);
			return { finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } };
		}
		const call = {
			id: 'call_1',
			type: 'function',
			function: { name: tools[0]?.function.name, arguments: JSON.stringify(args) },
		};
		return {
			finish_reason: 'tool_calls',
			message: { role: 'assistant', content: null, tool_calls: [call] },
		};
	};

	const server = createServer((request, response) => {
		void json(request).then((sent) => {
			const body = completionRequest.parse(sent);
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
			toolResult = undefined;
		},
		toolResult: () => toolResult,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
