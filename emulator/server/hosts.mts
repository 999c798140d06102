import type { FastifyInstance } from 'fastify';

/** A Host header with a loopback name, with any port or none. */
const LOOPBACK = /^(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/i;

/**
 * Refuses requests whose Host header is not a loopback name. Without this check, a web page whose host name resolves to
 * this machine (DNS rebinding) could read keys and the names of people.
 */
export function onlyLoopbackHosts(app: FastifyInstance): void {
	app.addHook('onRequest', (request, reply, done) => {
		if (LOOPBACK.test(request.headers.host ?? '')) return done();
		reply
			.code(421)
			.type('text/plain')
			.send('The emulator responds only to localhost, 127.0.0.0/8 and [::1].');
	});
}

/**
 * Refuses changes from web pages of other origins. Browsers send the header Origin with every change. Other programs send
 * none.
 */
export function onlyOwnOrigin(app: FastifyInstance): void {
	app.addHook('onRequest', (request, reply, done) => {
		if (request.method === 'GET') return done();
		const { origin, host = '' } = request.headers;
		const own = `http://${host}`.toLowerCase();
		if (origin === undefined || origin.toLowerCase() === own) return done();
		reply.code(403).send({ error: 'The emulator accepts changes only from its own pages' });
	});
}
