/** The answer to a call of a tool. */
export interface ToolResult {
	isError?: boolean;
	content: Array<{ type: string; text?: string }>;
}

interface Answer<T> {
	id?: number;
	result?: T;
	error?: { message: string };
}

const protocolVersion = '2025-03-26';

/** The message in an answer of an MCP server: plain JSON, or the data of an event stream. */
function messagesOf<T>(text: string): Array<Answer<T>> {
	if (!text.includes('data:')) return text === '' ? [] : [JSON.parse(text) as Answer<T>];
	return text
		.split('\n')
		.filter((line) => line.startsWith('data:'))
		.map((line) => JSON.parse(line.slice('data:'.length)) as Answer<T>);
}

/** A client of an MCP server over streamable HTTP, as much of one as a test needs. */
export class McpClient {
	private session: string | undefined;
	private lastId = 0;

	constructor(private readonly url: string) {}

	async connect(): Promise<void> {
		await this.call('initialize', {
			protocolVersion,
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
	}

	async tools(): Promise<Array<{ name: string; description?: string }>> {
		const { tools } = await this.call<{ tools: Array<{ name: string; description?: string }> }>(
			'tools/list',
			{},
		);
		return tools;
	}

	/** Calls a tool and gives what it answered, in words. */
	async callTool(name: string, args: Record<string, unknown>): Promise<string> {
		const { content } = await this.call<ToolResult>('tools/call', { name, arguments: args });
		return content.map(({ text }) => text ?? '').join('\n');
	}

	private async call<T>(method: string, params: Record<string, unknown>): Promise<T> {
		const id = ++this.lastId;
		const text = await this.post({ jsonrpc: '2.0', id, method, params });
		const answer = messagesOf<T>(text).find((message) => message.id === id);
		if (answer?.error) throw new Error(answer.error.message);
		if (answer?.result === undefined) throw new Error(`No answer to ${method}: ${text}`);
		return answer.result;
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
