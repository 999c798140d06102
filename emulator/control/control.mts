import type { FastifyError, FastifyInstance } from 'fastify';
import type { Emulator } from '../api.mts';
import type { Fault } from '../server/faults.mts';
import { onlyOwnOrigin } from '../server/hosts.mts';
import { defaultSwitches } from '../switches.mts';

/** A fault as JSON, which has no Infinity: `times: null` means always. */
type FaultBody = Omit<Fault, 'times'> & { times?: number | null };

const requestsShown = 100;

/** The readable resources: `GET /_emulator/<name>`. */
const views: Record<string, (emulator: Emulator, query: { operationId?: string }) => unknown> = {
	switches: ({ switches }) => switches,
	faults: ({ faults }) => faults.list(),
	requests: ({ requests }, { operationId }) =>
		requests
			.filter((request) => request.operationId === (operationId ?? request.operationId))
			.slice(-requestsShown),
	violations: ({ violations }) => violations,
	summary: ({ summary }) => summary,
	surveys: ({ state }) =>
		state.campaigns.values().flatMap(({ _id, name, status, survey }) => {
			if (survey === undefined) return [];
			const { isAnonymous: anonymous, responseCount: responses } = survey;
			return [{ _id, name, status, anonymous, responses }];
		}),
};

/** The emulator's methods that take and return JSON: `POST /_emulator/<name>` with an array of arguments. */
const commands = [
	...(['reset', 'clearRequests', 'expireTokens', 'addKey'] as const),
	...(['submitResponse', 'changeResponse', 'removeResponse', 'hideResponses'] as const),
	...(['letPeopleAnswer', 'sendCampaign', 'closeCampaign', 'reopenCampaign'] as const),
	...(['unshareCampaign', 'deleteCampaign'] as const),
] satisfies Array<keyof Emulator>;

/**
 * Registers the control interface for programs that run the emulator in another process: everything under
 * `/_emulator`, without authorization. Changes are accepted from the emulator's own origin only.
 */
export async function registerControl(app: FastifyInstance, emulator: Emulator): Promise<void> {
	await app.register(
		(control, _options, done) => {
			control.setErrorHandler((error: FastifyError, _request, reply) =>
				reply.code(400).send({ error: error.message }),
			);
			onlyOwnOrigin(control);
			registerRoutes(control, emulator);
			done();
		},
		{ prefix: '/_emulator' },
	);
}

function registerRoutes(control: FastifyInstance, emulator: Emulator): void {
	for (const [name, view] of Object.entries(views)) {
		control.get<{ Querystring: { operationId?: string } }>(`/${name}`, ({ query }) =>
			view(emulator, query),
		);
	}

	const names = { enum: Object.keys(defaultSwitches()) };
	control.post<{ Body: object }>(
		'/switches',
		{ schema: { body: { type: 'object', propertyNames: names } } },
		({ body }) => Object.assign(emulator.switches, body),
	);

	control.post<{ Body: FaultBody }>(
		'/faults',
		{ schema: { body: { type: 'object', required: ['match', 'action'] } } },
		({ body: { times, ...fault } }) => {
			emulator.faults.add({ ...fault, times: times ?? (times === null ? Infinity : 1) });
			return emulator.faults.list();
		},
	);

	control.delete('/faults', () => {
		emulator.faults.clear();
		return emulator.faults.list();
	});

	for (const name of commands) {
		control.post<{ Body: unknown[] | undefined }>(`/${name}`, ({ body }) => {
			const result: unknown = Reflect.apply(emulator[name], emulator, body ?? []);
			return { result };
		});
	}
}
