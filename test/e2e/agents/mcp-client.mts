import { z } from 'zod';
import { offeredTool, type OfferedTool } from '../support/chat-model.mts';

const message = z.object({
	id: z.unknown(),
	result: z.unknown(),
	error: z.object({ message: z.string() }).optional(),
});

const toolList = z.object({ tools: z.array(offeredTool) });

const toolResult = z.object({ content: z.array(z.object({ text: z.string().optional() })) });

/** A minimal client of an MCP server over streamable HTTP. */
export class McpClient {
	private session = '';

	constructor(private readonly url: string) {}

	async connect(): Promise<void> {
		await this.call(z.unknown(), 'initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
	}

	async tools(): Promise<OfferedTool[]> {
		return (await this.call(toolList, 'tools/list', {})).tools;
	}

	async callTool(name: string, args: Record<string, unknown>): Promise<string> {
		const { content } = await this.call(toolResult, 'tools/call', { name, arguments: args });
		return content.map(({ text }) => text ?? '').join('\n');
	}

	private async call<T>(schema: z.Schema<T>, method: string, params: object): Promise<T> {
		const response = await fetch(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(this.session !== '' && { 'mcp-session-id': this.session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', id: method, method, params }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${response.status} ${text}`);
		this.session = response.headers.get('mcp-session-id') ?? this.session;
		// The response is plain JSON or an event stream.
		const messages = text
			.split('\n')
			.flatMap((line) => /^(?:data:)?\s*(\{.*)/.exec(line)?.[1] ?? []);
		const { result, error } =
			messages.map((json) => message.parse(JSON.parse(json))).find(({ id }) => id === method) ?? {};
		if (error) throw new Error(error.message);
		return schema.parse(result);
	}
}
