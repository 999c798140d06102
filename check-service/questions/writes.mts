import { isObject } from '../../emulator/server/guards.mts';
import { create, idOf, type CreatedRecord } from '../created.mts';
import { asking, isNew, need, seen, type Check, type Probe, type Seen } from '../probe.mts';
import { CannotGoOn, type Exchange } from '../service.mts';

/** The documented message of the service for unknown addresses (openapi.yaml, recipientGroup.addRecipients). */
const UNKNOWN_RECIPIENTS = 'Not all emails founded as recipient in system';

const writes = asking('writes');
const channels = asking('channels');
const recipient = asking('recipient');

const description = 'A test of the n8n nodes. It has no recipients and can be deleted.';

/** An address that nobody can have. Its upper case shows whether the service changes it. */
const NOBODY = 'N8n-Check@nobody.invalid';
const UNKNOWN_ID = '0'.repeat(24);

const MOST_READS = 10;

const CHOICES = ['radio', 'dropdown', 'multiselect', 'rank', 'matrix'];
const TYPES = ['input', 'textarea', 'rating', 'date', 'time', 'email', 'number', ...CHOICES];

/** A question of each type, as the contract names them. */
const questions = TYPES.map((templateCode) => ({
	...{ templateCode, title: `A question of the type ${templateCode}`, required: false },
	...(CHOICES.includes(templateCode) && { options: ['One', 'Two'] }),
	...(templateCode === 'matrix' && { matrixQuestions: ['Pay', 'Tools'] }),
}));

/** What can be created, with its content. */
const CONTENT = {
	campaign: (name: string) => ({ name, description, status: 'draft' }),
	survey: (name: string) => ({ name, description, questions }),
	channel: (name: string) => ({ name }),
	recipientGroup: (name: string) => ({ name }),
};

/** Creates a record with a unique name, once. @throws Error with the refusal */
async function createOnce(probe: Probe, what: keyof typeof CONTENT) {
	return await probe.once(what, async () => {
		const name = `n8n check ${what} ${crypto.randomUUID().slice(0, 8)}`;
		const record: CreatedRecord = { kind: what === 'survey' ? 'campaign' : what, name };
		const exchange = await create(probe.created, record, async () =>
			probe.service.call(`${what}.create`, { body: CONTENT[what](name) }),
		);
		return { ids: [need(record.id, `creating it: ${exchange.said}`)], name, exchange };
	});
}

/** Creates a draft, once. Returns its ID. @throws Error with the refusal; CannotGoOn if it is not a draft */
async function draft(probe: Probe, what: 'campaign' | 'survey'): Promise<string[]> {
	const { ids, name } = await createOnce(probe, what);
	const { status } = (await probe.read('campaign.get', { ids })).record;
	if (status === '0') return ids;
	throw new CannotGoOn(`"${name}" is no draft: its status is ${String(status)}`);
}

const update = async (probe: Probe, body: object): Promise<Exchange> =>
	await probe.service.call('campaign.update', { ids: await draft(probe, 'campaign'), body });

/** Calls `channelRecipient.<operation>` for the channel of the checks. */
async function inChannel(probe: Probe, operation: string, recipients?: string[]) {
	const { ids } = await createOnce(probe, 'channel');
	const body = recipients && { recipients };
	return await probe.service.call(`channelRecipient.${operation}`, { ids, body });
}

const listed = async (probe: Probe) => (await inChannel(probe, 'getAll')).rows.length;

/** Returns the IDs of the members of all exclusive groups, undefined if there is no such group. */
async function exclusiveMembers(probe: Probe): Promise<unknown[] | undefined> {
	const listed = (await probe.first('recipientGroup')).filter((row) => row.exclusive !== false);
	const groups: Exchange['record'][] = [];
	for (const ids of listed.map((row) => [idOf(row)])) {
		const { record } = await probe.service.call('recipientGroup.get', { ids });
		if (record.exclusive === true) groups.push(record);
	}
	return groups.length > 0 ? groups.flatMap(({ leads }) => leads ?? []) : undefined;
}

/** The members of exclusive groups before anybody was put into the group of the checks. */
const exclusiveMembersBefore = async (probe: Probe) =>
	await probe.once('exclusive groups', async () => exclusiveMembers(probe));

/** Adds people to the group of the checks. @throws Error if whoever comes in may leave other groups */
async function add(probe: Probe, body: object): Promise<Exchange> {
	const { ids, exchange } = await createOnce(probe, 'recipientGroup');
	need(exchange.record.exclusive !== true, 'new groups are exclusive');
	await exclusiveMembersBefore(probe);
	return await probe.service.call('recipientGroup.addRecipients', { ids, body });
}

/** Returns the IDs of the members of the group of the checks. */
async function members(probe: Probe): Promise<unknown[]> {
	const { ids } = await createOnce(probe, 'recipientGroup');
	const { record } = await probe.service.call('recipientGroup.get', { ids });
	return [record.leads ?? []].flat();
}

/** Returns how many reads do not show a change yet, at most ten. */
async function readsWithout(isShown: () => Promise<boolean>): Promise<number> {
	let reads = 0;
	while (reads < MOST_READS && !(await isShown())) reads++;
	return reads;
}

/** Describes a change of members. */
const countsOf = ({ ok, record, said }: Exchange): string =>
	ok ? `successes ${String(record.successCount)}, errors ${String(record.errorCount)}` : said;

/** What happened to an unknown recipient beside a known one. */
function unknownTreatment(added: Exchange): Seen {
	if (!added.ok) return seen('refuseCall', added.said);
	return seen(Number(added.record.errorCount) > 0 ? 'errorLog' : 'ignore', countsOf(added));
}

const addNobody = async (probe: Probe) =>
	await probe.once('nobody', async () =>
		add(probe, { recipientEmails: [...probe.allowed.recipients, NOBODY] }),
	);

const addUnknownId = async (probe: Probe) =>
	await probe.once('unknown ID', async () =>
		add(probe, { recipientIds: [...(await members(probe)).slice(0, 1), UNKNOWN_ID] }),
	);

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
	if (message !== undefined) return 'message';
	return says(JSON.stringify(element)) ? undefined : 'opaque';
}

export const writeQuestions = {
	updateWithoutDescription: writes('An update without description?', async (probe) => {
		const { ok, said } = await update(probe, { title: 'n8n check' });
		if (ok) return seen('accept', 'a title alone is accepted');
		return seen('refuse', `${said}; for a status alone, only sending would show it`);
	}),
	categoriesFormat: writes('Which form have categories?', async (probe) => {
		const known = (await probe.first('campaign')).flatMap(({ categories }) => categories ?? []);
		const category = typeof known[0] === 'string' ? known[0] : 'n8n check';
		const list = await update(probe, { description, categories: [category] });
		const text = await update(probe, { description, categories: category });
		const [ofList, ofText] = [list, text].map(({ ok, said }) => (ok ? 'accepted' : said));
		const how = `list: ${ofList}; text: ${ofText}`;
		if (!list.ok && !text.ok) return isNew(how);
		return seen(list.ok && text.ok ? 'either' : list.ok ? 'array' : 'string', how);
	}),
	updateSurveyResponse: writes('What does a survey update return?', async (probe) => {
		const call = { ids: await draft(probe, 'survey'), body: { questions } };
		const { ok, data, said } = await probe.service.call('survey.update', call);
		need(ok, said);
		return seen(isObject(data) ? 'data' : 'onlySuccess', 'with all twelve question types');
	}),
	unknownChannelRecipients: channels('An unknown channel recipient?', async (probe) => {
		const { ok, said } = await inChannel(probe, 'add', [NOBODY]);
		if (!ok) return seen('refuseCall', said);
		const length = await listed(probe);
		return length === 0 ? seen('ignore', 'success') : isNew(`the channel has ${length} recipients`);
	}),
	channelListLag: channels('How soon does a channel show somebody?', async (probe) => {
		const { recipients } = probe.allowed;
		need(recipients.length > 0, 'needs --recipient, too');
		const { ok, said } = await inChannel(probe, 'add', recipients);
		need(ok, said);
		const reads = await readsWithout(async () => (await listed(probe)) > 0);
		await inChannel(probe, 'remove', recipients);
		return seen(reads, 'reads without them');
	}),
	unknownEmails: recipient('What happens to an unknown address?', async (probe) =>
		unknownTreatment(await addNobody(probe)),
	),
	unknownIds: recipient('What happens to an unknown ID?', async (probe) =>
		unknownTreatment(await addUnknownId(probe)),
	),
	unknownRecipientSays: recipient(
		'How does the service refuse an unknown address?',
		async (probe) => {
			const { ok, message, said } = await addNobody(probe);
			need(!ok, 'the service refuses no request with an unknown address');
			return seen(message === UNKNOWN_RECIPIENTS ? 'documented' : message, said);
		},
	),
	exclusiveMeans: recipient('Does an exclusive group lose people to others?', async (probe) => {
		const before = need(await exclusiveMembersBefore(probe), 'the key sees no exclusive group');
		const { length } = before;
		await add(probe, { recipientEmails: probe.allowed.recipients });
		const own = await members(probe);
		const both = before.filter((id) => own.includes(id));
		need(both.length > 0, `no recipient is in an exclusive group (${length} people are)`);
		const after = (await exclusiveMembers(probe)) ?? [];
		const lost = both.filter((id) => !after.includes(id));
		return lost.length === 0
			? seen('nothing', 'the recipient stayed in the exclusive group')
			: seen('inNoOtherGroup', 'the recipient left the exclusive group: put them in again');
	}),
	errorLogShape: recipient('How does `errorLog` name a recipient?', async (probe) => {
		for (const value of [NOBODY, UNKNOWN_ID]) {
			const added = await (value === NOBODY ? addNobody(probe) : addUnknownId(probe));
			const [element] = [added.record.errorLog ?? []].flat().filter(isObject);
			if (!element) continue;
			const how = `by ${Object.keys(element).join(', ')}`;
			const shape = shapeOf(element, value);
			return shape === undefined ? isNew(how) : seen(shape, how);
		}
		throw new Error('no response has an errorLog');
	}),
};

/** Questions that no switch depends on. They come first, because they add the people to the group. */
export const moreWrites: Check[] = [
	recipient('Who is in a new group, and how soon does a read show somebody?', async (probe) => {
		const { length } = await members(probe);
		const added = await add(probe, { recipientEmails: probe.allowed.recipients });
		const reads = await readsWithout(async () => (await members(probe)).length > length);
		return { how: `first ${length} members; ${countsOf(added)}; ${reads} reads without them` };
	}),
	recipient('Do case and blanks of an address matter?', async (probe) => {
		const { recipients } = probe.allowed;
		const upper = await add(probe, { recipientEmails: recipients.map((one) => one.toUpperCase()) });
		const padded = await add(probe, { recipientEmails: recipients.map((one) => ` ${one} `) });
		return { how: `in upper case: ${countsOf(upper)}; with blanks: ${countsOf(padded)}` };
	}),
];
