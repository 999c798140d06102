import { localFetch } from '../../local-n8n/n8n/local-fetch.mts';
import { startServer } from '../kit/testServer.mts';

test('a request to n8n is repeated when its connection is dropped or n8n is not ready, until n8n has ended', async () => {
	const connections: Array<string | undefined> = [];
	const server = await startServer((request, response) => {
		connections.push(request.headers.connection);
		if (connections.length < 3) request.socket.destroy();
		// n8n says so while its database does not respond.
		else if (connections.length === 3) response.writeHead(503).end('Database is not ready!');
		else response.end('hello');
	});
	const url = `${server.url}/rest/login`;
	const send = async (ended: boolean) => await localFetch(url, { method: 'POST' }, () => ended);
	await expect(send(true)).rejects.toThrow('n8n ended before POST /rest/login was answered');
	expect((await send(false)).text).toBe('hello');
	expect(connections).toEqual(Array(4).fill('close'));
	await server.stop();
});
