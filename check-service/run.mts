import { isObject } from '../emulator/server/guards.mts';
import { Probe, type Allowed, type Check, type Needs, type Seen } from './check.mts';
import { idOf, refusalOf } from './responses.mts';
import { checks as allChecks } from './checks.mts';
import { cleanUp, type Created, type Leftover } from './created.mts';
import { CannotGoOn, type Service } from './service.mts';

/** What may be done: reading, and what the person who runs the checks has allowed. */
export type Scope = Allowed & { writes: boolean };

/** A question, and what was seen, or why nothing was seen. */
export type Asked = { check: Check; answer: Seen | { notSeen: string } };

export type Result = {
	asked: Asked[];
	/** Why the checks ended before the last question. */
	stopped: string | undefined;
	left: Leftover[];
};

/** Returns why a check is not allowed, or undefined. */
function refused(needs: Needs, { writes, recipients, channels }: Scope): string | undefined {
	if (needs === 'writes' && !writes) return 'needs --write';
	if (needs === 'recipient' && !(writes && recipients.length > 0)) {
		return 'needs --write and --recipient';
	}
	return needs === 'channels' && !(writes && channels) ? 'needs --write and --channels' : undefined;
}

/** Reads every documented GET once that no question reads. */
async function readEverything(probe: Probe): Promise<void> {
	await probe.read('profile.get');
	await probe.read('template.getAll');
	for (const kind of ['campaign', 'broadcast'] as const) {
		const [first] = await probe.first(kind);
		if (!first) continue;
		const ids = [idOf(first)];
		await probe.read(`${kind}.get`, { ids });
		const [file] = await probe.rows(`${kind}File.getAll`, { ids });
		if (file) await probe.read(`${kind}File.get`, { ids: [...ids, idOf(file)] });
		if (kind === 'campaign') await probe.read('campaign.getReport', { ids });
	}
	const [group] = await probe.first('recipientGroup');
	if (group) await probe.read('recipientGroup.get', { ids: [idOf(group)] });
	const [channel] = await probe.first('channel');
	if (channel) await probe.read('channel.get', { ids: [idOf(channel)] });
}

/**
 * Asks the service all questions that the scope allows, one after the other, and removes what was created.
 *
 * @throws Error if the service refuses the key
 */
export async function run(
	service: Service,
	created: Created,
	scope: Scope,
	checks: Check[] = allChecks,
): Promise<Result> {
	const probe = new Probe(service, scope, created);
	const asked: Asked[] = [];
	let stopped: string | undefined;
	try {
		const me = await probe.read('profile.get');
		if (!me.ok && (isKeyRefusal(me.status) || isObject(me.body))) {
			throw new Error(`The service refused the key: ${refusalOf(me)}`);
		}
		await readEverything(probe);
	} catch (error) {
		if (!(error instanceof CannotGoOn)) throw error;
		stopped = error.message;
	}
	for (const check of checks) {
		const because = stopped ?? refused(check.needs, scope);
		if (because !== undefined) {
			asked.push({ check, answer: { notSeen: because } });
			continue;
		}
		try {
			asked.push({ check, answer: await check.look(probe) });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			asked.push({ check, answer: { notSeen: message } });
			if (error instanceof CannotGoOn) stopped = message;
		}
	}
	const left = created.records.length > 0 ? await cleanUp(service, created) : [];
	return { asked, stopped, left };
}

const isKeyRefusal = (status: number | undefined): boolean => status === 401 || status === 403;
