import type { FastifyRequest } from 'fastify';

const servicePrefix = '/int/v1';

/** The path of a request without its query, as it came in. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
	return request.url.split('?', 1)[0] ?? '';
}

/** Whether a request is one to the service, and not to the control interface or the pages. */
export function isService(request: Pick<FastifyRequest, 'url'>): boolean {
	const path = pathOf(request);
	return path === servicePrefix || path.startsWith(`${servicePrefix}/`);
}
