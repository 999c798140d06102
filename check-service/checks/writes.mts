import FormData from 'form-data';
import { isObject } from '../../emulator/server/guards.mts';
import { ask, decide, isNew, notSeen, seen, shown, type Check, type Probe } from '../check.mts';
import type { CreatedRecord } from '../created.mts';
import { refusalOf, rowsOf } from '../responses.mts';
import { CannotGoOn, type Exchange } from '../service.mts';

const description = 'A test of the n8n nodes. It has no recipients and can be deleted.';

/** An address that nobody can have. Its upper case shows whether the service changes it. */
export const NOBODY = 'N8n-Check@nobody.invalid';

/** Returns a name that no other record has. */
const uniqueName = (what: string): string => `n8n check ${what} ${crypto.randomUUID().slice(0, 8)}`;

/** Creates a record with a unique name, once. @throws Error with the refusal */
export async function createOnce(
	probe: Probe,
	what: string,
	kind: CreatedRecord['kind'],
	operationId: string,
	content: (name: string) => object,
): Promise<{ id: string; name: string; data: unknown }> {
	return await probe.once(what, async () => {
		const name = uniqueName(what);
		const { exchange, record } = await probe.created.create({ kind, name }, async () =>
			probe.service.call(operationId, { body: content(name) }),
		);
		if (record.id === undefined) throw new Error(`creating it: ${refusalOf(exchange)}`);
		return { id: record.id, name, data: exchange.data };
	});
}

/** Creates a draft. @throws Error with the refusal; CannotGoOn if it is not a draft */
async function draft(
	probe: Probe,
	what: 'campaign' | 'survey' | 'broadcast',
	content: (name: string) => object,
): Promise<string> {
	const kind = what === 'survey' ? 'campaign' : what;
	const { id, name } = await createOnce(probe, what, kind, `${what}.create`, content);
	const { data } = await probe.read(`${kind}.get`, { ids: [id] });
	const status = isObject(data) ? data.status : undefined;
	if (status === '0') return id;
	throw new CannotGoOn(
		`"${name}" is no draft: its status is ${String(status)}. It has no recipients`,
	);
}

const draftOf = {
	campaign: async (probe: Probe) =>
		await draft(probe, 'campaign', (name) => ({ name, description, status: 'draft' })),
	broadcast: async (probe: Probe) =>
		await draft(probe, 'broadcast', (title) => ({ title, message: description, status: 'draft' })),
	survey: async (probe: Probe) =>
		await draft(probe, 'survey', (name) => ({ name, description, questions })),
};

const CHOICES = ['radio', 'dropdown', 'multiselect', 'rank', 'matrix'];
const TYPES = ['input', 'textarea', 'rating', 'date', 'time', 'email', 'number', ...CHOICES];

/** A question of each type, as the document names them. */
const questions = TYPES.map((templateCode) => ({
	...{ templateCode, title: `A question of the type ${templateCode}`, required: false },
	...(CHOICES.includes(templateCode) && { options: ['One', 'Two'] }),
	...(templateCode === 'matrix' && { matrixQuestions: ['Pay', 'Tools'] }),
}));

/** Uploads, lists, reads, replaces and deletes a file of 1 kB. */
async function fileRound(probe: Probe, kind: 'campaign' | 'broadcast'): Promise<string> {
	const parent = await draftOf[kind](probe);
	const name = `${uniqueName('file').replaceAll(' ', '-')}.txt`;
	const file = { kind: `${kind}File`, name, parent } as const;
	const step = async (operation: string, ids: string[], withFile = false) => {
		const body = new FormData();
		body.append('file', Buffer.alloc(1024, 'n8n check\n'), name);
		const call = withFile ? { ids, body } : { ids };
		return await probe.service.call(`${file.kind}.${operation}`, call);
	};
	const { exchange, record } = await probe.created.create(file, async () =>
		step('upload', [parent], true),
	);
	if (record.id === undefined) return `uploading: ${refusalOf(exchange)}`;
	const ids = [parent, record.id];
	const steps: [string, Exchange][] = [
		['listed', await step('getAll', [parent])],
		['read', await step('get', ids)],
		['replaced', await step('replace', ids, true)],
		['deleted', await step('delete', ids)],
	];
	if (steps.at(-1)?.[1].ok) probe.created.forget(record);
	return steps.map(([word, one]) => (one.ok ? word : `not ${word}: ${refusalOf(one)}`)).join(', ');
}

const lists = async (probe: Probe, ids: string[]): Promise<boolean> =>
	rowsOf(await probe.service.call('channelRecipient.getAll', { ids })).length > 0;

const update = async (probe: Probe, body: object): Promise<Exchange> =>
	await probe.service.call('campaign.update', { ids: [await draftOf.campaign(probe)], body });

async function channelOf(probe: Probe): Promise<string> {
	const create = (name: string) => ({ name });
	return (await createOnce(probe, 'channel', 'channel', 'channel.create', create)).id;
}

export const writeChecks: Check[] = [
	decide(
		'updateWithoutDescription',
		'writes',
		'May an update omit the description?',
		async (probe) => {
			const updated = await update(probe, { title: 'n8n check' });
			if (updated.ok) return seen('accept', 'a title alone is accepted');
			return seen(
				'refuse',
				`${refusalOf(updated)}; for a status alone, only sending would show it`,
			);
		},
	),
	decide('categoriesFormat', 'writes', 'Which form have categories?', async (probe) => {
		const known = (await probe.first('campaign')).flatMap(({ categories }) => categories ?? []);
		const category = typeof known[0] === 'string' ? known[0] : 'n8n check';
		const list = await update(probe, { description, categories: [category] });
		const text = await update(probe, { description, categories: category });
		const how = `list: ${list.ok ? 'accepted' : refusalOf(list)}; text: ${text.ok ? 'accepted' : refusalOf(text)}`;
		if (!list.ok && !text.ok) return isNew(how);
		return seen(list.ok && text.ok ? 'either' : list.ok ? 'array' : 'string', how);
	}),
	decide(
		'updateSurveyResponse',
		'writes',
		'What does an update of a survey return?',
		async (probe) => {
			const ids = [await draftOf.survey(probe)];
			const updated = await probe.service.call('survey.update', { ids, body: { questions } });
			if (!updated.ok) return notSeen(refusalOf(updated));
			return seen(
				isObject(updated.data) ? 'data' : 'onlySuccess',
				'with all twelve question types',
			);
		},
	),
	ask('writes', 'What does a draft broadcast show?', async (probe) => {
		const { data } = await probe.read('broadcast.get', { ids: [await draftOf.broadcast(probe)] });
		return shown(Object.keys(isObject(data) ? data : {}).join(', '));
	}),
	ask('writes', 'How do files of a campaign fare?', async (probe) =>
		shown(await fileRound(probe, 'campaign')),
	),
	ask('writes', 'How do files of a broadcast fare?', async (probe) =>
		shown(await fileRound(probe, 'broadcast')),
	),
	decide('unknownChannelRecipients', 'channels', 'An unknown channel recipient?', async (probe) => {
		const ids = [await channelOf(probe)];
		const body = { recipients: [NOBODY] };
		const added = await probe.service.call('channelRecipient.add', { ids, body });
		if (!added.ok) return seen('refuseCall', refusalOf(added));
		const { length } = rowsOf(await probe.service.call('channelRecipient.getAll', { ids }));
		return length === 0 ? seen('ignore', 'success') : isNew(`the channel has ${length} recipients`);
	}),
	decide('channelListLag', 'channels', 'How soon does a channel show somebody?', async (probe) => {
		const { recipients } = probe.allowed;
		if (recipients.length === 0) return notSeen('needs --recipient, too');
		const ids = [await channelOf(probe)];
		const added = await probe.service.call('channelRecipient.add', { ids, body: { recipients } });
		if (!added.ok) return notSeen(refusalOf(added));
		let reads = 0;
		while (reads < 10 && !(await lists(probe, ids))) reads++;
		await probe.service.call('channelRecipient.remove', { ids, body: { recipients } });
		return reads < 10 ? seen(reads, 'reads without them') : isNew('ten reads did not show them');
	}),
];
