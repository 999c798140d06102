import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../emulator/server/guards.mts';
import {
	ask,
	decide,
	isNew,
	notSeen,
	seen,
	shown,
	type Answer,
	type Check,
	type Probe,
} from '../check.mts';
import { refusalOf } from '../responses.mts';
import type { Exchange } from '../service.mts';
import { createOnce, NOBODY } from './writes.mts';

const UNKNOWN_ID = '0'.repeat(24);

/** Creates the group once. Without people it affects nobody. @throws Error if whoever comes in may leave other groups */
async function groupOf(probe: Probe) {
	const create = (name: string) => ({ name });
	const group = await createOnce(probe, 'group', 'recipientGroup', 'recipientGroup.create', create);
	const data = isObject(group.data) ? group.data : {};
	if (data.exclusive === true) throw new Error('new groups are exclusive');
	return { ...group, data };
}

async function add(probe: Probe, body: object): Promise<Exchange> {
	const ids = [(await groupOf(probe)).id];
	return await probe.service.call('recipientGroup.addRecipients', { ids, body });
}

async function leads(probe: Probe): Promise<unknown[]> {
	const ids = [(await groupOf(probe)).id];
	const { data } = await probe.service.call('recipientGroup.get', { ids });
	const list: unknown = isObject(data) ? data.leads : undefined;
	return Array.isArray(list) ? list.map((one): unknown => one) : [];
}

/** Describes a change of members. */
function countsOf(exchange: Exchange): string {
	const { data } = exchange;
	if (!isObject(data)) return refusalOf(exchange);
	return `successCount ${String(data.successCount)}, errorCount ${String(data.errorCount)}`;
}

/** What happened to an unknown recipient beside a known one. */
function unknownTreatment(added: Exchange): Answer {
	if (!added.ok) return seen('refuseCall', refusalOf(added));
	const errors = isObject(added.data) ? Number(added.data.errorCount) : 0;
	return seen(errors > 0 ? 'errorLog' : 'ignore', countsOf(added));
}

const addNobody = async (probe: Probe) =>
	await probe.once('nobody', async () =>
		add(probe, { recipientEmails: [...probe.allowed.recipients, NOBODY] }),
	);

const addUnknownId = async (probe: Probe) =>
	await probe.once('unknown ID', async () => {
		await add(probe, { recipientEmails: probe.allowed.recipients });
		return await add(probe, { recipientIds: [...(await leads(probe)).slice(0, 1), UNKNOWN_ID] });
	});

/** Returns the shape of an element of `errorLog` about a recipient. */
function shapeOf(element: Record<string, unknown>, value: string): string | undefined {
	const { email, _id: id, message } = element;
	const own = String(email ?? id);
	const says = (one: unknown) => String(one).toLowerCase().includes(value.toLowerCase());
	if (own === value) return 'field';
	if (says(own)) return 'lowerCase';
	if ('recipientEmail' in element || 'recipientId' in element) return 'recipientField';
	if ('value' in element) return 'valueError';
	if (isObject(element.recipient)) return 'nested';
	if (says(message)) return 'text';
	if ('index' in element) return 'index';
	return says(JSON.stringify(element)) ? undefined : 'opaque';
}

export const memberChecks: Check[] = [
	ask('recipient', 'Is the creator a member of a new group?', async (probe) => {
		const { leads: members } = (await groupOf(probe)).data;
		return shown(`it has ${Array.isArray(members) ? members.length : 'no list of'} members`);
	}),
	ask('recipient', 'How soon does a read show a new member?', async (probe) => {
		const before = (await leads(probe)).length;
		const added = await add(probe, { recipientEmails: probe.allowed.recipients });
		if (!added.ok) return notSeen(refusalOf(added));
		const started = Date.now();
		for (let read = 1; read <= 10; read++) {
			if ((await leads(probe)).length > before) {
				return shown(`at read ${read}, after ${Date.now() - started} ms; ${countsOf(added)}`);
			}
			await sleep(250);
		}
		return isNew(`in none of ten reads; ${countsOf(added)}`);
	}),
	ask('recipient', 'Do case and blanks of an address matter?', async (probe) => {
		const { recipients } = probe.allowed;
		const upper = await add(probe, { recipientEmails: recipients.map((one) => one.toUpperCase()) });
		const padded = await add(probe, { recipientEmails: recipients.map((one) => ` ${one} `) });
		return shown(`in upper case: ${countsOf(upper)}; with blanks: ${countsOf(padded)}`);
	}),
	decide('unknownEmails', 'recipient', 'What happens to an unknown address?', async (probe) =>
		unknownTreatment(await addNobody(probe)),
	),
	decide('unknownIds', 'recipient', 'What happens to an unknown ID?', async (probe) =>
		unknownTreatment(await addUnknownId(probe)),
	),
	decide('errorLogShape', 'recipient', 'How does `errorLog` name a recipient?', async (probe) => {
		for (const value of [NOBODY, UNKNOWN_ID]) {
			const { data } = await (value === NOBODY ? addNobody(probe) : addUnknownId(probe));
			const log: unknown = isObject(data) ? data.errorLog : undefined;
			const element: unknown = Array.isArray(log) ? log[0] : undefined;
			if (!isObject(element)) continue;
			const how = `by ${Object.keys(element).join(', ')}`;
			const shape = shapeOf(element, value);
			return shape === undefined ? isNew(how) : seen(shape, how);
		}
		return notSeen('no response has an errorLog');
	}),
	ask('recipient', 'May two groups differ only in case?', async (probe) => {
		const name = (await groupOf(probe)).name.toUpperCase();
		const { exchange } = await probe.created.create({ kind: 'recipientGroup', name }, async () =>
			probe.service.call('recipientGroup.create', { body: { name } }),
		);
		return shown(exchange.ok ? 'yes' : refusalOf(exchange));
	}),
];
