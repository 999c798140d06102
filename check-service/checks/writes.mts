import FormData from 'form-data';
import { isObject } from '../../emulator/server/guards.mts';
import { isNew, notSeen, seen, type Check, type Probe } from '../check.mts';
import { refusalOf, rowsOf } from '../responses.mts';
import { CannotGoOn, type Exchange } from '../service.mts';
import type { CreatedKind } from '../created.mts';

/** Drafts have no recipients, so nobody is asked these questions. */
const DESCRIPTION = 'A test of the n8n nodes. It has no recipients and can be deleted.';

/** Returns a name that no other record has. */
export const uniqueName = (what: string): string =>
	`n8n check ${what} ${crypto.randomUUID().slice(0, 8)}`;

/** Creates a record of each kind at most once. */
const drafts = new WeakMap<Probe, Map<string, Promise<string>>>();

async function once(probe: Probe, key: string, make: () => Promise<string>): Promise<string> {
	const made = drafts.get(probe) ?? new Map<string, Promise<string>>();
	drafts.set(probe, made);
	const making = made.get(key) ?? make();
	made.set(key, making);
	return await making;
}

/** Creates a draft. @throws Error with the refusal; CannotGoOn if it is not a draft */
async function draft(
	probe: Probe,
	kind: Extract<CreatedKind, 'campaign' | 'broadcast'>,
	what: string,
	operationId: string,
	content: (name: string) => object,
): Promise<string> {
	return await once(probe, what, async () => {
		const name = uniqueName(what);
		const { exchange, record } = await probe.created.create({ kind, name }, async () =>
			probe.service.call(operationId, { body: content(name) }),
		);
		if (record.id === undefined) throw new Error(`creating it: ${refusalOf(exchange)}`);
		const { data } = await probe.service.call(`${kind}.get`, { ids: [record.id] });
		const status = isObject(data) ? data.status : undefined;
		if (status !== '0') {
			throw new CannotGoOn(
				`"${name}" should be a draft, but its status is ${String(status)}. It has no recipients`,
			);
		}
		return record.id;
	});
}

const draftCampaign = async (probe: Probe) =>
	await draft(probe, 'campaign', 'campaign', 'campaign.create', (name) => ({
		...{ name, description: DESCRIPTION, status: 'draft' },
	}));

const draftBroadcast = async (probe: Probe) =>
	await draft(probe, 'broadcast', 'broadcast', 'broadcast.create', (title) => ({
		...{ title, message: DESCRIPTION, status: 'draft' },
	}));

const OPTIONS = ['One', 'Two'];

/** A question of each type, as the document names them. */
const questions = [
	...['input', 'textarea', 'rating', 'date', 'time', 'email', 'number'].map((templateCode) => ({
		...{ templateCode, title: `A question of the type ${templateCode}`, required: false },
	})),
	...['radio', 'dropdown', 'multiselect', 'rank'].map((templateCode) => ({
		...{ templateCode, title: `A question of the type ${templateCode}`, options: OPTIONS },
	})),
	{ templateCode: 'matrix', title: 'A matrix', options: [1, 2, 3], matrixQuestions: OPTIONS },
];

const draftSurvey = async (probe: Probe) =>
	await draft(probe, 'campaign', 'survey', 'survey.create', (name) => ({
		...{ name, description: DESCRIPTION, questions },
	}));

/** Uploads, reads, replaces and deletes a file of 1 kB. */
async function fileRound(
	probe: Probe,
	kind: 'campaign' | 'broadcast',
	id: string,
): Promise<string> {
	const operation = `${kind}File` as const;
	const name = `${uniqueName('file').replaceAll(' ', '-')}.txt`;
	const form = () => {
		const data = new FormData();
		data.append('file', Buffer.alloc(1024, 'n8n check\n'), name);
		data.append('media', 'raw');
		return data;
	};
	const record = { kind: operation, name, parent: id };
	const created = await probe.created.create(record, async () =>
		probe.service.call(`${operation}.upload`, { ids: [id], body: form() }),
	);
	if (created.record.id === undefined) return `uploading: ${refusalOf(created.exchange)}`;
	const ids = [id, created.record.id];
	const steps: [string, Exchange][] = [
		['listed', await probe.service.call(`${operation}.getAll`, { ids: [id] })],
		['read', await probe.service.call(`${operation}.get`, { ids })],
		['replaced', await probe.service.call(`${operation}.replace`, { ids, body: form() })],
		['deleted', await probe.service.call(`${operation}.delete`, { ids })],
	];
	if (steps.at(-1)?.[1].ok) probe.created.forget(created.record);
	return [
		'uploaded',
		...steps.map(([word, one]) => (one.ok ? word : `not ${word}: ${refusalOf(one)}`)),
	].join(', ');
}

/** Tries updates of the draft campaign. */
async function update(probe: Probe, body: object): Promise<Exchange> {
	const ids = [await draftCampaign(probe)];
	return await probe.service.call('campaign.update', { ids, body });
}

export const writeChecks: Check[] = [
	{
		asks: 'Does an update of a campaign need its description?',
		decides: 'updateWithoutDescription',
		needs: 'writes',
		look: async (probe) => {
			const updated = await update(probe, { title: 'n8n check' });
			return updated.ok
				? seen('No', 'accept')
				: seen(
						`Yes: ${refusalOf(updated)}. Whether sending alone needs it, only sending would show`,
						'refuse',
					);
		},
	},
	{
		asks: 'Which form have categories?',
		decides: 'categoriesFormat',
		needs: 'writes',
		look: async (probe) => {
			const known = (await probe.campaigns()).flatMap(({ categories }) => categories ?? []);
			const category = typeof known[0] === 'string' ? known[0] : 'n8n check';
			const description = DESCRIPTION;
			const asList = await update(probe, { description, categories: [category] });
			const asText = await update(probe, { description, categories: category });
			if (asList.ok && asText.ok) return seen('A list and a text are accepted', 'either');
			if (asList.ok) return seen('Only a list is accepted', 'array');
			if (asText.ok) return seen('Only a text is accepted', 'string');
			return isNew(`Neither a list nor a text is accepted: ${refusalOf(asList)}`);
		},
	},
	{
		asks: 'Are all twelve types of questions accepted?',
		needs: 'writes',
		look: async (probe) => {
			await draftSurvey(probe);
			return seen('Yes');
		},
	},
	{
		asks: 'What does an update of a survey return?',
		decides: 'updateSurveyResponse',
		needs: 'writes',
		look: async (probe) => {
			const ids = [await draftSurvey(probe)];
			const updated = await probe.service.call('survey.update', { ids, body: { questions } });
			if (!updated.ok) return notSeen(`it was refused: ${refusalOf(updated)}`);
			return isObject(updated.data)
				? seen('`data`', 'data')
				: seen('Only `success`', 'onlySuccess');
		},
	},
	{
		asks: 'Is a draft without recipients counted as such?',
		needs: 'writes',
		look: async (probe) => {
			const ids = [await draftCampaign(probe)];
			const { data } = await probe.service.call('campaign.get', { ids });
			return seen(
				`recipientAmount is ${String(isObject(data) ? data.recipientAmount : undefined)}`,
			);
		},
	},
	{
		asks: 'Which fields does a draft broadcast show?',
		needs: 'writes',
		look: async (probe) => {
			const ids = [await draftBroadcast(probe)];
			const { data } = await probe.service.call('broadcast.get', { ids });
			return seen(Object.keys(isObject(data) ? data : {}).join(', '));
		},
	},
	...(['campaign', 'broadcast'] as const).map(
		(kind): Check => ({
			asks: `Can a file of a ${kind} be uploaded, read, replaced and deleted?`,
			needs: 'writes',
			look: async (probe) => {
				const id = await (kind === 'campaign' ? draftCampaign(probe) : draftBroadcast(probe));
				return seen(await fileRound(probe, kind, id));
			},
		}),
	),
	{
		asks: 'What happens to a channel recipient whom the service does not know?',
		decides: 'unknownChannelRecipients',
		needs: 'channels',
		look: async (probe) => {
			const name = uniqueName('channel');
			const { exchange, record } = await probe.created.create({ kind: 'channel', name }, async () =>
				probe.service.call('channel.create', { body: { name } }),
			);
			if (record.id === undefined) return notSeen(`creating a channel: ${refusalOf(exchange)}`);
			const ids = [record.id];
			const body = { recipients: [NOBODY] };
			const added = await probe.service.call('channelRecipient.add', { ids, body });
			if (!added.ok) return seen(`The request is refused: ${refusalOf(added)}`, 'refuseCall');
			const rows = rowsOf(await probe.service.call('channelRecipient.getAll', { ids }));
			return rows.length === 0
				? seen('They are ignored without a word', 'ignore')
				: isNew(`The channel has ${rows.length} recipients afterwards`);
		},
	},
];

/** An address that nobody can have. Its case shows whether the service changes it. */
export const NOBODY = 'N8n-Check@nobody.invalid';
