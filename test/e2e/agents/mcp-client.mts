import { z } from 'zod';
import { offeredTool, type OfferedTool } from './chat-model.mts';

const responseMessage = z.object({
	id: z.unknown(),
	result: z.unknown(),
	error: z.object({ message: z.string() }).optional(),
});

const toolList = z.object({ tools: z.array(offeredTool) });

const toolResult = z.object({ content: z.array(z.object({ text: z.string().optional() })) });

const protocolVersion = '2025-03-26';

/** The messages in a response of an MCP server: plain JSON, or the data of an event stream. */
function messagesOf(text: string) {
	const read = (json: string) => responseMessage.parse(JSON.parse(json));
	if (!text.includes('data:')) return text === '' ? [] : [read(text)];
	return text
		.split('\n')
		.filter((line) => line.startsWith('data:'))
		.map((line) => read(line.slice('data:'.length)));
}

/** A client of an MCP server over streamable HTTP, as much of one as a test needs. */
export class McpClient {
	private session: string | undefined;
	private lastId = 0;

	constructor(private readonly url: string) {}

	async connect(): Promise<void> {
		await this.call(z.unknown(), 'initialize', {
			protocolVersion,
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
	}

	async tools(): Promise<OfferedTool[]> {
		const { tools } = await this.call(toolList, 'tools/list', {});
		return tools;
	}

	/** Calls a tool and returns the text of its result. */
	async callTool(name: string, args: Record<string, unknown>): Promise<string> {
		const { content } = await this.call(toolResult, 'tools/call', { name, arguments: args });
		return content.map(({ text }) => text ?? '').join('\n');
	}

	private async call<T>(schema: z.Schema<T>, method: string, params: object): Promise<T> {
		const id = ++this.lastId;
		const text = await this.post({ jsonrpc: '2.0', id, method, params });
		const response = messagesOf(text).find((message) => message.id === id);
		if (response?.error) throw new Error(response.error.message);
		return schema.parse(response?.result);
	}

	private async post(message: Record<string, unknown>): Promise<string> {
		const response = await fetch(this.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
			},
			body: JSON.stringify(message),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${response.status} ${text}`);
		this.session = response.headers.get('mcp-session-id') ?? this.session;
		return text;
	}
}
