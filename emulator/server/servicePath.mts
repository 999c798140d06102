import type { FastifyRequest } from 'fastify';

const servicePrefix = '/int/v1';

/** Returns the path of a request as received, without the query. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
	return request.url.split('?', 1)[0] ?? '';
}

/** Whether a request goes to the service, not to the emulator's own pages. */
export function isService(request: Pick<FastifyRequest, 'url'>): boolean {
	const path = pathOf(request);
	return path === servicePrefix || path.startsWith(`${servicePrefix}/`);
}
