import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { startServer } from '../../kit/testServer.mts';

const completionRequest = z.object({
	model: z.string(),
	messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
	tools: z
		.array(z.object({ function: z.object({ name: z.string(), description: z.string().min(1) }) }))
		.default([]),
});

/** A simulated chat model with OpenAI's API. The model runs on this machine. */
export type ChatModel = Awaited<ReturnType<typeof startChatModel>>;

/**
 * Starts a model that calls the first tool once, then responds "Done.". Without tools, it only responds "Done.". It does
 * not stream.
 */
export async function startChatModel() {
	let args: Record<string, unknown> = {};
	let toolResult: string | undefined;
	const received: string[] = [];

	const complete = ({ messages, tools }: z.infer<typeof completionRequest>) => {
		received.push(JSON.stringify(messages));
		const last = messages.at(-1);
		if (last?.role === 'tool') {
			toolResult = typeof last.content === 'string' ? last.content : JSON.stringify(last.content);
		}
		if (!tools[0] || last?.role === 'tool') {
			return { finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } };
		}
		const call = {
			id: 'call_1',
			type: 'function',
			function: { name: tools[0].function.name, arguments: JSON.stringify(args) },
		};
		return {
			finish_reason: 'tool_calls',
			message: { role: 'assistant', content: null, tool_calls: [call] },
		};
	};

	const respond = (body: z.infer<typeof completionRequest>) => ({
		id: 'completion_1',
		object: 'chat.completion',
		created: 0,
		model: body.model,
		choices: [{ index: 0, ...complete(body) }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	});
	const server = await startServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		void json(request).then((sent) =>
			response.end(JSON.stringify(respond(completionRequest.parse(sent)))),
		);
	});
	return {
		...server,
		/** The base URL for n8n's OpenAI credential. */
		url: `${server.url}/v1`,
		/** Sets the arguments with which the model calls the tool. */
		callWith: (given: Record<string, unknown>) => {
			args = given;
			toolResult = undefined;
		},
		/** The messages of each request, as JSON. */
		received,
		/** The result of the last tool call, as the model reads it. */
		toolResult: () => toolResult,
	};
}
