import {
	inForm,
	isAnything,
	isText,
	listOf,
	objectOf,
	optional,
	type Form,
} from '../../../sandbox/n8n/form.mts';
import { isOfferedTool, type OfferedTool } from './chat-model.mts';

interface Answer {
	id?: unknown;
	result?: unknown;
	error?: { message: string };
}

const isAnswer = objectOf<Answer>({
	id: isAnything,
	result: isAnything,
	error: optional(objectOf<{ message: string }>({ message: isText })),
});

const isToolList = objectOf<{ tools: OfferedTool[] }>({ tools: listOf(isOfferedTool) });

/** The answer to a call of a tool. */
interface ToolResult {
	content: Array<{ text?: string }>;
}

const isToolResult = objectOf<ToolResult>({
	content: listOf(objectOf<{ text?: string }>({ text: optional(isText) })),
});

const protocolVersion = '2025-03-26';

/** The messages in an answer of an MCP server: plain JSON, or the data of an event stream. */
function messagesOf(text: string): Answer[] {
	const read = (json: string) => inForm(isAnswer, JSON.parse(json), 'A message of the MCP server');
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
		await this.call(isAnything, 'initialize', {
			protocolVersion,
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
	}

	async tools(): Promise<OfferedTool[]> {
		const { tools } = await this.call(isToolList, 'tools/list', {});
		return tools;
	}

	/** Calls a tool and gives what it answered, in words. */
	async callTool(name: string, args: Record<string, unknown>): Promise<string> {
		const { content } = await this.call(isToolResult, 'tools/call', { name, arguments: args });
		return content.map(({ text }) => text ?? '').join('\n');
	}

	private async call<T>(has: Form<T>, method: string, params: Record<string, unknown>): Promise<T> {
		const id = ++this.lastId;
		const text = await this.post({ jsonrpc: '2.0', id, method, params });
		const answer = messagesOf(text).find((message) => message.id === id);
		if (answer?.error) throw new Error(answer.error.message);
		if (answer?.result === undefined) throw new Error(`No answer to ${method}: ${text}`);
		return inForm(has, answer.result, `The result of ${method}`);
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
