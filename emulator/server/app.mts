import { fastifyMultipart } from '@fastify/multipart';
import { fastify, type FastifyInstance } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';

import type { Context } from './context.mts';
import { contractDocument } from '../contract.mts';
import { onlyLoopbackHosts } from './hosts.mts';
import { readJsonBodies } from './parsing.mts';
import { addPreValidation } from './preValidation.mts';
import { recordRequests } from './recordRequests.mts';
import { saveAfterChanges } from './stateFile.mts';
import { handleErrors } from './errorHandler.mts';
import { validateByContract } from './validation.mts';

/** This limit is far larger than any test needs, because nobody knows the limit of the service. */
const jsonBodyLimit = 256 * 1024 * 1024;

/**
 * Builds the server of the emulated service, with the routes and the validation of the contract. The server does not listen
 * yet.
 *
 * @param operations handlers by operationId
 */
export async function buildService(context: Context, operations: object): Promise<FastifyInstance> {
	const app = fastify({
		bodyLimit: jsonBodyLimit,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 5000 },
	});
	app.decorateRequest('emulatorRecord', undefined);
	app.decorateRequest('delays');
	app.decorateRequest('responseFault', undefined);
	onlyLoopbackHosts(app);
	saveAfterChanges(app, context.save);
	validateByContract(app, context.responses);
	readJsonBodies(app);
	recordRequests(app, context);
	addPreValidation(app, context);
	handleErrors(app, context);
	await app.register(fastifyMultipart, {
		limits: { fileSize: Number.POSITIVE_INFINITY, files: 2, fields: 20 },
		preservePath: true,
	});
	await app.register(openapiGlue, {
		specification: structuredClone(contractDocument),
		serviceHandlers: operations,
	});
	return app;
}
