import type { FastifyInstance } from 'fastify';
import { ContractViolation } from './failure.mts';

/** Registers a JSON parser, which accepts an empty body. A body of another content type gets a failure response. */
export function readJsonBodies(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser<string>(
		'application/json',
		{ parseAs: 'string' },
		(_request, text, done) => {
			if (text === '') return done(null, undefined);
			try {
				const body: unknown = JSON.parse(text);
				return done(null, body);
			} catch {
				return done(new ContractViolation('The body is not JSON', 'body is not JSON'));
			}
		},
	);
	// Clients may send a content type with an empty body.
	app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, text, done) => {
		if (text === '') return done(null, undefined);
		const detail = `body has the content type ${request.headers['content-type'] ?? 'none'}, not JSON`;
		return done(new ContractViolation(detail, detail));
	});
}
