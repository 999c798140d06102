import { isObject } from '../emulator/server/guards.mts';
import { cleanUp, type Created, type Leftover } from './created.mts';
import { Probe, type Allowed, type Check, type Seen } from './probe.mts';
import { questions, type Question } from './questions.mts';
import { CannotGoOn, type Service } from './service.mts';

/** What may be done: reading, and what the person who runs the checks has allowed. */
export type Scope = Allowed & { writes: boolean };

/** A question, and what was seen, or why nothing was seen. */
export type Asked = { question: Question; answer: Seen | { notSeen: string } };

export type Result = {
	asked: Asked[];
	/** Why the checks ended before the last question. */
	stopped: string | undefined;
	left: Leftover[];
};

/** Returns why a question is not allowed, or undefined. */
function refused({ needs }: Check, { writes, recipients, channels }: Scope): string | undefined {
	const hasRecipient = needs !== 'recipient' || recipients.length > 0;
	const hasChannels = needs !== 'channels' || channels;
	if (needs === 'reads' || (writes && hasRecipient && hasChannels)) return undefined;
	return needs === 'writes' ? 'needs --write' : `needs --write and --${needs}`;
}

/**
 * Asks the service all questions that the scope allows, one after the other, and removes what was created.
 *
 * @throws Error if the service refuses the key or the OAuth client
 */
export async function run(
	service: Service,
	scope: Scope,
	wanted: Question[] = questions,
	created?: Created,
): Promise<Result> {
	const probe = new Probe(service, scope, created);
	let stopped: string | undefined;
	/** Returns what a step found, or why it found nothing. */
	const attempt = async <Found,>(step: () => Promise<Found> | Found) => {
		if (stopped !== undefined) return { notSeen: stopped };
		try {
			return await step();
		} catch (error) {
			const notSeen = error instanceof Error ? error.message : String(error);
			if (error instanceof CannotGoOn) stopped = notSeen;
			return { notSeen };
		}
	};
	await service.signIn();
	const me = await attempt(async () => probe.read('profile.get'));
	if ('ok' in me && !me.ok && ([401, 403].includes(me.status ?? 0) || isObject(me.body))) {
		throw new Error(`The service refused the key: ${me.said}`);
	}
	const asked: Asked[] = [];
	for (const question of wanted) {
		const notSeen = refused(question, scope);
		const answer = notSeen ? { notSeen } : await attempt(() => question.look(probe));
		asked.push({ question, answer });
	}
	return { asked, stopped, left: await cleanUp(service, probe.created) };
}
