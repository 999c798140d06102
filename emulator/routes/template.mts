import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { okList } from './envelope.mts';

/** Returns the template list operation (openapi.yaml, template.getAll). */
export function templateOperations(context: Context) {
	return {
		'template.getAll': (request: FastifyRequest<{ Querystring: { category?: string } }>) => {
			const { category } = request.query;
			const templates = context.state.templates
				.values()
				.filter((template) => category === undefined || template.categories.includes(category));
			return okList(
				context,
				templates.slice(0, context.switches.pageCap.template ?? templates.length),
			);
		},
	};
}
