import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../sandbox/machine/ports.mts';
import { n8nFolder, type N8nLine } from '../../../sandbox/machine/paths.mts';

interface Emitter<Events extends Record<string, unknown[]>> {
	on: <Name extends keyof Events>(
		name: Name,
		listener: (...args: Events[Name]) => void,
	) => Emitter<Events>;
}
type Login = { password?: string; accept: () => void; reject: (methods: string[]) => void };
interface Sftp extends Emitter<{
	OPEN: [request: number, path: string];
	READ: [request: number, handle: Buffer, offset: number, length: number];
	CLOSE: [request: number];
}> {
	handle: (request: number, handle: Buffer) => void;
	data: (request: number, bytes: Buffer) => void;
	status: (request: number, code: number) => void;
}
type Session = Emitter<{ sftp: [accept: () => Sftp] }>;
type Client = Emitter<{ authentication: [Login]; session: [accept: () => Session] }>;
/** The part of ssh2 that this server needs; n8n's FTP node brings the package along. */
interface Ssh2 {
	Server: new (options: object, onClient: (client: Client) => void) => Server;
}

/** Codes of the SFTP protocol. */
const status = { ok: 0, endOfFile: 1, noSuchFile: 2 };

/** Serves one file over SFTP on loopback, to whoever gives the password. */
export async function startSftpServer(line: N8nLine, path: string, text: string, password: string) {
	const load: (name: string) => Ssh2 = createRequire(join(n8nFolder(line), 'package.json'));
	const { privateKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
	});
	const hostKey = privateKey.export({ type: 'pkcs1', format: 'pem' });
	const content = Buffer.from(text);
	const serve = (sftp: Sftp) =>
		sftp
			.on('OPEN', (request, wanted) => {
				if (wanted === path) sftp.handle(request, Buffer.of(0));
				else sftp.status(request, status.noSuchFile);
			})
			.on('READ', (request, _, offset, length) => {
				if (offset >= content.length) sftp.status(request, status.endOfFile);
				else sftp.data(request, content.subarray(offset, offset + length));
			})
			.on('CLOSE', (request) => sftp.status(request, status.ok));
	const server = new (load('ssh2').Server)({ hostKeys: [hostKey] }, (client) => {
		client
			.on('authentication', (login) => {
				if (login.password === password) login.accept();
				else login.reject(['password']);
			})
			.on('session', (accept) => accept().on('sftp', (acceptSftp) => serve(acceptSftp())));
	});
	const port = await freePort(0, 'the SFTP server');
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	return { port, stop: () => server.close() };
}
