import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../emulator/server/guards.mts';
import { isNew, notSeen, seen, type Answer, type Check, type Probe } from '../check.mts';
import { refusalOf } from '../responses.mts';
import type { Exchange } from '../service.mts';
import { NOBODY, uniqueName } from './writes.mts';

const UNKNOWN_ID = '0'.repeat(24);

/** What is known of the group of the checks. */
type Group = { id: string; name: string; createdWith: number; error?: string };

const groups = new WeakMap<Probe, Promise<Group>>();

/** Creates the group once. Without people it affects nobody. */
async function groupOf(probe: Probe): Promise<Group> {
	const making = groups.get(probe) ?? makeGroup(probe);
	groups.set(probe, making);
	const group = await making;
	if (group.error !== undefined) throw new Error(group.error);
	return group;
}

async function makeGroup(probe: Probe): Promise<Group> {
	const name = uniqueName('group');
	const { exchange, record } = await probe.created.create(
		{ kind: 'recipientGroup', name },
		async () => probe.service.call('recipientGroup.create', { body: { name } }),
	);
	const data = isObject(exchange.data) ? exchange.data : {};
	const createdWith = Array.isArray(data.leads) ? data.leads.length : 0;
	const made = { id: record.id ?? '', name, createdWith };
	if (record.id === undefined)
		return { ...made, error: `creating a group: ${refusalOf(exchange)}` };
	// Whoever is put into an exclusive group may leave all other groups.
	if (data.exclusive === true) return { ...made, error: 'new groups are exclusive' };
	return made;
}

async function add(probe: Probe, body: object): Promise<Exchange> {
	const ids = [(await groupOf(probe)).id];
	return await probe.service.call('recipientGroup.addRecipients', { ids, body });
}

async function leads(probe: Probe): Promise<unknown[]> {
	const ids = [(await groupOf(probe)).id];
	const { data } = await probe.service.call('recipientGroup.get', { ids });
	const shown: unknown = isObject(data) ? data.leads : undefined;
	return Array.isArray(shown) ? shown.map((one): unknown => one) : [];
}

/** Returns the counts of a change of members, as a sentence. */
function countsOf({ data, ...rest }: Exchange): string {
	if (!isObject(data)) return refusalOf({ data, ...rest });
	return `successCount ${String(data.successCount)}, errorCount ${String(data.errorCount)}`;
}

/** What happened to a known and an unknown recipient in one request. */
function unknownTreatment(added: Exchange): Answer {
	if (!added.ok) return seen(`The request is refused: ${refusalOf(added)}`, 'refuseCall');
	const { errorCount = 0 } = isObject(added.data) ? added.data : {};
	return Number(errorCount) > 0
		? seen(`They are counted as errors: ${countsOf(added)}`, 'errorLog')
		: seen(`They are ignored: ${countsOf(added)}`, 'ignore');
}

const withNobody = async (probe: Probe) =>
	await add(probe, { recipientEmails: [...probe.allowed.recipients, NOBODY] });

const withUnknownId = async (probe: Probe) => {
	await add(probe, { recipientEmails: probe.allowed.recipients });
	const [known] = await leads(probe);
	return await add(probe, { recipientIds: [...(known === undefined ? [] : [known]), UNKNOWN_ID] });
};

/** Returns the shape of an element of `errorLog` about a recipient. */
function shapeOf(element: Record<string, unknown>, value: string): string | undefined {
	const { email, _id: id, recipient, message } = element;
	const own = email ?? id;
	if (own === value) return 'field';
	if (typeof own === 'string' && own.toLowerCase() === value.toLowerCase()) return 'lowerCase';
	if ('recipientEmail' in element || 'recipientId' in element) return 'recipientField';
	if ('value' in element) return 'valueError';
	if (isObject(recipient)) return 'nested';
	if (typeof message === 'string' && message.includes(value)) return 'text';
	if ('index' in element) return 'index';
	return JSON.stringify(element).toLowerCase().includes(value.toLowerCase()) ? undefined : 'opaque';
}

export const memberChecks: Check[] = [
	{
		asks: 'Is the creator a member of a new group?',
		needs: 'recipient',
		look: async (probe) => {
			const { createdWith } = await groupOf(probe);
			return seen(createdWith === 0 ? 'No' : `It has ${createdWith} members at once`);
		},
	},
	{
		asks: 'How soon does a read show a new member?',
		needs: 'recipient',
		look: async (probe) => {
			const before = (await leads(probe)).length;
			const added = await add(probe, { recipientEmails: probe.allowed.recipients });
			if (!added.ok) return notSeen(`adding was refused: ${refusalOf(added)}`);
			const started = Date.now();
			for (let read = 1; read <= 10; read++) {
				const { length } = await leads(probe);
				if (length > before) {
					return seen(`After ${Date.now() - started} ms, at read ${read}; ${countsOf(added)}`);
				}
				await sleep(250);
			}
			return isNew(`In none of ten reads; ${countsOf(added)}`);
		},
	},
	{
		asks: 'Does the case of an address matter, do blanks around it?',
		needs: 'recipient',
		look: async (probe) => {
			const { recipients } = probe.allowed;
			await add(probe, { recipientEmails: recipients });
			const upper = await add(probe, {
				recipientEmails: recipients.map((one) => one.toUpperCase()),
			});
			const padded = await add(probe, { recipientEmails: recipients.map((one) => ` ${one} `) });
			return seen(`In upper case: ${countsOf(upper)}. With blanks: ${countsOf(padded)}`);
		},
	},
	{
		asks: 'What happens to an unknown address?',
		decides: 'unknownEmails',
		needs: 'recipient',
		look: async (probe) => unknownTreatment(await withNobody(probe)),
	},
	{
		asks: 'What happens to an unknown ID?',
		decides: 'unknownIds',
		needs: 'recipient',
		look: async (probe) => unknownTreatment(await withUnknownId(probe)),
	},
	{
		asks: 'How does `errorLog` name a recipient?',
		decides: 'errorLogShape',
		needs: 'recipient',
		look: async (probe) => {
			for (const [value, added] of [
				[NOBODY, await withNobody(probe)],
				[UNKNOWN_ID, await withUnknownId(probe)],
			] as const) {
				const log = isObject(added.data) ? added.data.errorLog : undefined;
				const element: unknown = Array.isArray(log) ? log[0] : undefined;
				if (!isObject(element)) continue;
				const fields = Object.keys(element).join(', ');
				const shape = shapeOf(element, value);
				return shape === undefined ? isNew(`By ${fields}`) : seen(`By ${fields}`, shape);
			}
			return notSeen('no response has an errorLog');
		},
	},
	{
		asks: 'May two groups have names that differ only in case?',
		needs: 'recipient',
		look: async (probe) => {
			const name = (await groupOf(probe)).name.toUpperCase();
			const { exchange } = await probe.created.create({ kind: 'recipientGroup', name }, async () =>
				probe.service.call('recipientGroup.create', { body: { name } }),
			);
			return seen(exchange.ok ? 'Yes' : `No: ${refusalOf(exchange)}`);
		},
	},
];
