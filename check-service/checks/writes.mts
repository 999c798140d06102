import { setTimeout as sleep } from 'node:timers/promises';
import FormData from 'form-data';
import { isObject } from '../../emulator/server/guards.mts';
import {
	accepted,
	ask,
	decide,
	isNew,
	need,
	seen,
	shown,
	type Check,
	type Probe,
	type Seen,
} from '../check.mts';
import { dataOf, refusalOf, rowsIn } from '../responses.mts';
import type { CreatedKind } from '../created.mts';
import { CannotGoOn, type Exchange } from '../service.mts';

const description = 'A test of the n8n nodes. It has no recipients and can be deleted.';

/** An address that nobody can have. Its upper case shows whether the service changes it. */
const NOBODY = 'N8n-Check@nobody.invalid';
const UNKNOWN_ID = '0'.repeat(24);

const MOST_READS = 10;

/** Returns a name that no other record has. */
const uniqueName = (what: string): string => `n8n check ${what} ${crypto.randomUUID().slice(0, 8)}`;

/** Creates a record with a unique name, once. @throws Error with the refusal */
async function createOnce(
	probe: Probe,
	what: 'campaign' | 'survey' | 'broadcast' | 'channel' | 'recipientGroup',
	content: (name: string) => object = (name) => ({ name }),
) {
	return await probe.once(what, async () => {
		const name = uniqueName(what);
		const kind: CreatedKind = what === 'survey' ? 'campaign' : what;
		const { exchange, record } = await probe.created.create({ kind, name }, async () =>
			probe.service.call(`${what}.create`, { body: content(name) }),
		);
		const id = need(record.id, `creating it: ${refusalOf(exchange)}`);
		return { ids: [id], name, data: dataOf(exchange) };
	});
}

const CHOICES = ['radio', 'dropdown', 'multiselect', 'rank', 'matrix'];
const TYPES = ['input', 'textarea', 'rating', 'date', 'time', 'email', 'number', ...CHOICES];

/** A question of each type, as the document names them. */
const questions = TYPES.map((templateCode) => ({
	...{ templateCode, title: `A question of the type ${templateCode}`, required: false },
	...(CHOICES.includes(templateCode) && { options: ['One', 'Two'] }),
	...(templateCode === 'matrix' && { matrixQuestions: ['Pay', 'Tools'] }),
}));

const CONTENT = {
	campaign: (name: string) => ({ name, description, status: 'draft' }),
	broadcast: (title: string) => ({ title, message: description, status: 'draft' }),
	survey: (name: string) => ({ name, description, questions }),
};

/** Creates a draft, once. Returns its ID. @throws Error with the refusal; CannotGoOn if it is not a draft */
async function draft(probe: Probe, what: keyof typeof CONTENT): Promise<string[]> {
	const { ids, name } = await createOnce(probe, what, CONTENT[what]);
	const kind = what === 'survey' ? 'campaign' : what;
	const { status } = dataOf(await probe.read(`${kind}.get`, { ids }));
	if (status === '0') return ids;
	const says = `its status is ${String(status)}. It has no recipients`;
	throw new CannotGoOn(`"${name}" is no draft: ${says}`);
}

/** Uploads, lists, reads, replaces and deletes a file of 1 kB. */
async function fileRound(probe: Probe, kind: 'campaign' | 'broadcast'): Promise<Seen> {
	const [parent = ''] = await draft(probe, kind);
	const name = `${uniqueName('file').replaceAll(' ', '-')}.txt`;
	const file = { kind: `${kind}File`, name, parent } as const;
	const step = async (operation: string, ids: string[], withFile = false) => {
		const body = new FormData();
		body.append('file', Buffer.alloc(1024, 'n8n check\n'), name);
		return await probe.service.call(`${file.kind}.${operation}`, {
			ids,
			...(withFile && { body }),
		});
	};
	const { exchange, record } = await probe.created.create(file, async () =>
		step('upload', [parent], true),
	);
	if (record.id === undefined) return shown(`uploading: ${refusalOf(exchange)}`);
	const ids = [parent, record.id];
	const steps: [string, Exchange][] = [
		['listed', await step('getAll', [parent])],
		['read', await step('get', ids)],
		['replaced', await step('replace', ids, true)],
		['deleted', await step('delete', ids)],
	];
	if (steps.at(-1)?.[1].ok) probe.created.forget(record);
	const words = steps.map(([word, one]) => (one.ok ? word : `not ${word}: ${refusalOf(one)}`));
	return shown(words.join(', '));
}

const update = async (probe: Probe, body: object): Promise<Exchange> =>
	await probe.service.call('campaign.update', { ids: await draft(probe, 'campaign'), body });

const draftChecks: Check[] = [
	decide('updateWithoutDescription', 'writes', 'An update without description?', async (probe) => {
		const updated = await update(probe, { title: 'n8n check' });
		if (updated.ok) return seen('accept', 'a title alone is accepted');
		const how = `${refusalOf(updated)}; for a status alone, only sending would show it`;
		return seen('refuse', how);
	}),
	decide('categoriesFormat', 'writes', 'Which form have categories?', async (probe) => {
		const known = (await probe.first('campaign')).flatMap(({ categories }) => categories ?? []);
		const category = typeof known[0] === 'string' ? known[0] : 'n8n check';
		const list = await update(probe, { description, categories: [category] });
		const text = await update(probe, { description, categories: category });
		const [ofList, ofText] = [list, text].map((one) => (one.ok ? 'accepted' : refusalOf(one)));
		const how = `list: ${ofList}; text: ${ofText}`;
		if (!list.ok && !text.ok) return isNew(how);
		return seen(list.ok && text.ok ? 'either' : list.ok ? 'array' : 'string', how);
	}),
	decide('updateSurveyResponse', 'writes', 'What does a survey update return?', async (probe) => {
		const ids = await draft(probe, 'survey');
		const updated = await probe.service.call('survey.update', { ids, body: { questions } });
		const has = isObject(accepted(updated).data);
		return seen(has ? 'data' : 'onlySuccess', 'with all twelve question types');
	}),
	ask('writes', 'How do files of a campaign fare?', async (probe) => fileRound(probe, 'campaign')),
	ask('writes', 'How do files of a broadcast fare?', async (probe) =>
		fileRound(probe, 'broadcast'),
	),
];

/** Calls `channelRecipient.<operation>` for the channel of the checks. */
async function inChannel(probe: Probe, operation: string, recipients?: string[]) {
	const { ids } = await createOnce(probe, 'channel');
	const call = recipients ? { ids, body: { recipients } } : { ids };
	return await probe.service.call(`channelRecipient.${operation}`, call);
}

const listed = async (probe: Probe) => rowsIn((await inChannel(probe, 'getAll')).data).length;

const channelChecks: Check[] = [
	decide('unknownChannelRecipients', 'channels', 'An unknown channel recipient?', async (probe) => {
		const added = await inChannel(probe, 'add', [NOBODY]);
		if (!added.ok) return seen('refuseCall', refusalOf(added));
		const length = await listed(probe);
		return length === 0 ? seen('ignore', 'success') : isNew(`the channel has ${length} recipients`);
	}),
	decide('channelListLag', 'channels', 'How soon does a channel show somebody?', async (probe) => {
		const { recipients } = probe.allowed;
		need(recipients.length > 0, 'needs --recipient, too');
		accepted(await inChannel(probe, 'add', recipients));
		let reads = 0;
		while (reads < MOST_READS && (await listed(probe)) === 0) reads++;
		await inChannel(probe, 'remove', recipients);
		return reads < MOST_READS ? seen(reads, 'reads without them') : isNew('no read showed them');
	}),
];

/** Creates the group once. Without people it affects nobody. @throws Error if whoever comes in may leave other groups */
async function groupOf(probe: Probe) {
	const group = await createOnce(probe, 'recipientGroup');
	need(group.data.exclusive !== true, 'new groups are exclusive');
	return group;
}

async function add(probe: Probe, body: object): Promise<Exchange> {
	const { ids } = await groupOf(probe);
	return await probe.service.call('recipientGroup.addRecipients', { ids, body });
}

async function leads(probe: Probe): Promise<unknown[]> {
	const { ids } = await groupOf(probe);
	const { leads: list } = dataOf(await probe.service.call('recipientGroup.get', { ids }));
	return Array.isArray(list) ? list.map((one): unknown => one) : [];
}

/** Describes a change of members. */
function countsOf(exchange: Exchange): string {
	if (!isObject(exchange.data)) return refusalOf(exchange);
	const { successCount, errorCount } = exchange.data;
	return `successCount ${String(successCount)}, errorCount ${String(errorCount)}`;
}

/** What happened to an unknown recipient beside a known one. */
function unknownTreatment(added: Exchange): Seen {
	if (!added.ok) return seen('refuseCall', refusalOf(added));
	return seen(Number(dataOf(added).errorCount) > 0 ? 'errorLog' : 'ignore', countsOf(added));
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

const memberChecks: Check[] = [
	ask('recipient', 'Is the creator a member of a new group?', async (probe) => {
		const { leads: members } = (await groupOf(probe)).data;
		return shown(`it has ${Array.isArray(members) ? members.length : 'no list of'} members`);
	}),
	ask('recipient', 'How soon does a read show a new member?', async (probe) => {
		const before = (await leads(probe)).length;
		const { recipients: recipientEmails } = probe.allowed;
		const counts = countsOf(accepted(await add(probe, { recipientEmails })));
		const started = Date.now();
		for (let read = 1; read <= MOST_READS; read++) {
			const isThere = (await leads(probe)).length > before;
			if (isThere) return shown(`at read ${read}, after ${Date.now() - started} ms; ${counts}`);
			await sleep(250);
		}
		return isNew(`in no read; ${counts}`);
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
			const added = await (value === NOBODY ? addNobody(probe) : addUnknownId(probe));
			const [element] = rowsIn(dataOf(added).errorLog);
			if (!element) continue;
			const how = `by ${Object.keys(element).join(', ')}`;
			const shape = shapeOf(element, value);
			return shape === undefined ? isNew(how) : seen(shape, how);
		}
		throw new Error('no response has an errorLog');
	}),
];

export const writeChecks = [...draftChecks, ...channelChecks, ...memberChecks];
