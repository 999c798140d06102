import type { FastifyError, FastifyInstance } from 'fastify';
import type { Emulator } from '../api.mts';
import type { Fault, FaultAction } from '../server/faults.mts';
import { onlyOwnOrigin } from '../server/hosts.mts';
import type { NewPerson } from '../state/people.mts';
import type { HideOptions, NewResponse } from '../state/surveyResponses.mts';
import type { SeedOptions } from '../state/seed.mts';
import { defaultSwitches } from '../switches.mts';

interface FaultBody {
	match?: { method?: string; path?: string; pathRegExp?: string };
	/** null: always. */
	times?: number | null;
	skip?: number;
	action: FaultAction;
}

interface RequestQuery {
	method?: string;
	operationId?: string;
	/** The newest this many, default 100. */
	limit?: number;
}

const anyObject = { type: 'object' } as const;

/** JSON has no RegExp, and no Infinity. */
function faultFrom(body: FaultBody): Fault {
	const { method, path, pathRegExp } = body.match ?? {};
	const pattern = pathRegExp === undefined ? path : new RegExp(pathRegExp);
	return {
		match: { method, path: pattern },
		times: body.times === null ? Number.POSITIVE_INFINITY : (body.times ?? 1),
		skip: body.skip ?? 0,
		action: body.action,
	};
}

function shownFaults(emulator: Emulator): object[] {
	return emulator.faults.list().map(({ fault, timesLeft, skipLeft }) => ({
		match: { method: fault.match.method, path: String(fault.match.path ?? '*') },
		action: fault.action,
		timesLeft: Number.isFinite(timesLeft) ? timesLeft : null,
		skipLeft,
	}));
}

/**
 * The control interface for tests that run the emulator in another process: everything under
 * /_emulator, without authorization, changes from its own origin only.
 */
export async function registerControl(app: FastifyInstance, emulator: Emulator): Promise<void> {
	await app.register(
		(control, _options, done) => {
			control.setErrorHandler((error: FastifyError, _request, reply) =>
				reply.code(400).send({ error: error.message }),
			);
			onlyOwnOrigin(control);
			registerBehaviour(control, emulator);
			registerData(control, emulator);
			registerLog(control, emulator);
			done();
		},
		{ prefix: '/_emulator' },
	);
}

function registerBehaviour(control: FastifyInstance, emulator: Emulator): void {
	control.get('/switches', () => emulator.switches);

	control.post<{ Body: Record<string, unknown> }>(
		'/switches',
		{ schema: { body: anyObject } },
		(request) => {
			const unknown = Object.keys(request.body).find((name) => !(name in defaultSwitches()));
			if (unknown !== undefined) throw new Error(`There is no switch ${unknown}`);
			return Object.assign(emulator.switches, request.body);
		},
	);

	control.get('/faults', () => shownFaults(emulator));

	control.post<{ Body: FaultBody }>(
		'/faults',
		{ schema: { body: { type: 'object', required: ['action'] } } },
		(request) => {
			emulator.faults.add(faultFrom(request.body));
			return shownFaults(emulator);
		},
	);

	control.delete('/faults', () => {
		emulator.faults.clear();
		return shownFaults(emulator);
	});

	control.post<{ Body: { advanceMs?: number; set?: number | string; reset?: boolean } }>(
		'/clock',
		{ schema: { body: anyObject } },
		({ body }) => {
			if (body.reset === true) emulator.clock.reset();
			if (body.set !== undefined) emulator.clock.set(body.set);
			if (body.advanceMs !== undefined) emulator.clock.advance(body.advanceMs);
			return { now: new Date(emulator.clock.now()).toISOString() };
		},
	);

	control.post('/tokens/expire', () => {
		emulator.expireTokens();
		return { tokens: emulator.state.keys.tokens.size };
	});
}

function registerData(control: FastifyInstance, emulator: Emulator): void {
	// Both names do the same: everything starts again from the seed.
	for (const path of ['/reset', '/seed']) {
		control.post<{ Body: SeedOptions | undefined }>(path, (request) => {
			emulator.reset(request.body);
			return counts(emulator);
		});
	}

	control.get('/state', () => counts(emulator));

	control.post<{ Body: NewPerson[] }>(
		'/people',
		{ schema: { body: { type: 'array', items: { type: 'object', required: ['email'] } } } },
		(request) => {
			const people = emulator.state.addPeople(request.body);
			return { people: emulator.state.people.size, ids: people.map((person) => person._id) };
		},
	);

	control.get('/people', () => emulator.state.people.values());

	control.get('/groups', () =>
		emulator.state.recipientGroups
			.values()
			.map((group) => ({ _id: group._id, name: group.name, members: group.members.size })),
	);

	control.post<{ Body: { name: string; emails?: string[] } }>(
		'/groups',
		{ schema: { body: { type: 'object', required: ['name'] } } },
		({ body }) => {
			const members = emulator.state.addPeople((body.emails ?? []).map((email) => ({ email })));
			const group = emulator.state.addRecipientGroup(
				body.name,
				members.map((person) => person._id),
			);
			return { _id: group._id, name: group.name, members: group.members.size };
		},
	);

	control.get<{ Params: { id: string } }>('/groups/:id/members', (request) =>
		emulator.state.groupEmails(request.params.id),
	);

	control.get('/surveys', () =>
		emulator.state.campaigns.values().flatMap(({ _id, name, status, survey }) => {
			if (survey === undefined) return [];
			const { isAnonymous: anonymous, responseCount: responses } = survey;
			const questions = survey.questions.map(({ title }) => title);
			return [{ _id, name, status, anonymous, questions, responses }];
		}),
	);

	control.post<{ Params: { id: string }; Body: NewResponse | NewResponse[] | undefined }>(
		'/surveys/:id/responses',
		({ params, body }) => {
			const responses = Array.isArray(body) ? body : [body ?? {}];
			return { rowIds: responses.map((response) => emulator.submitResponse(params.id, response)) };
		},
	);

	control.put<{ Params: { id: string; rowId: string }; Body: NewResponse }>(
		'/surveys/:id/responses/:rowId',
		{ schema: { body: anyObject } },
		({ params, body }) => {
			emulator.changeResponse(params.id, params.rowId, body);
			return { rowId: params.rowId };
		},
	);

	control.delete<{ Params: { id: string; rowId: string } }>(
		'/surveys/:id/responses/:rowId',
		({ params }) => {
			emulator.removeResponse(params.id, params.rowId);
			return { rowId: params.rowId };
		},
	);

	const count = { type: 'integer', minimum: 1, maximum: 10_000 };
	control.post<{ Params: { id: string }; Body: { count?: number } }>(
		'/surveys/:id/people',
		{ schema: { body: { type: 'object', properties: { count } } } },
		({ params, body }) => ({ rowIds: emulator.letPeopleAnswer(params.id, body.count ?? 1) }),
	);

	const campaignActions = {
		send: (id: string) => emulator.sendCampaign(id),
		close: (id: string) => emulator.closeCampaign(id),
		reopen: (id: string) => emulator.reopenCampaign(id),
		unshare: (id: string) => emulator.unshareCampaign(id),
	};
	for (const [action, act] of Object.entries(campaignActions)) {
		control.post<{ Params: { id: string } }>(`/campaigns/:id/${action}`, ({ params }) => {
			act(params.id);
			return { _id: params.id };
		});
	}

	control.delete<{ Params: { id: string } }>('/campaigns/:id', ({ params }) => {
		emulator.deleteCampaign(params.id);
		return { _id: params.id };
	});

	control.post<{ Params: { id: string }; Body: HideOptions | undefined }>(
		'/surveys/:id/hide',
		({ params, body }) => {
			emulator.hideResponses(params.id, body ?? {});
			return {};
		},
	);
}

function registerLog(control: FastifyInstance, emulator: Emulator): void {
	const limit = { type: 'integer', minimum: 1 };
	control.get<{ Querystring: RequestQuery }>(
		'/requests',
		{ schema: { querystring: { type: 'object', properties: { limit } } } },
		({ query }) =>
			emulator.requests
				.filter(({ method }) => method === (query.method ?? method))
				.filter(({ operationId }) => operationId === (query.operationId ?? operationId))
				.slice(-(query.limit ?? 100)),
	);

	control.delete('/requests', () => {
		emulator.clearRequests();
		return emulator.summary;
	});

	control.get('/violations', () => emulator.violations);
	control.get('/summary', () => emulator.summary);
}

function counts(emulator: Emulator): object {
	const { people, consoleUsers, consoleUserGroups, recipientGroups, ...state } = emulator.state;
	const { campaigns, broadcasts, channels, templates, files } = state;
	const stores = {
		...{ people, consoleUsers, consoleUserGroups, recipientGroups },
		...{ campaigns, broadcasts, channels, templates, files },
	};
	return Object.fromEntries(Object.entries(stores).map(([name, { size }]) => [name, size]));
}
