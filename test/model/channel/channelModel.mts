import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { anyAccessKey } from '../../kit/credentials.mts';
import { locator, runNode, type RunResult } from '../../kit/engine.mts';
import { resetClock } from '../../kit/fakeSleep.mts';
import fc from '../../kit/property.mts';
import { startServer } from '../../kit/testServer.mts';
import { isObject } from '../../kit/typed.mts';

/**
 * A random world for Sync of channels: people, items, what the service does where its document says nothing, and faults. The
 * judge knows who is who, so no code of the node decides what is right.
 */
const channelNumbers = fc.uniqueArray(fc.integer({ min: 0, max: 1 }), { maxLength: 2 });
/** Refusals that call a recipient unknown, and others. "Invalid parameters" is the documented refusal of any operation. */
const MEANS_UNKNOWN = [
	...['Invalid parameters', 'Recipient not found', 'User does not exist', 'Unknown recipient'],
];
const MEANS_OTHER = [
	...['Consent of the person not found', 'Too many recipients', 'Recipient is locked'],
	...['Object does not exist', 'License not found', 'Quota exceeded'],
];

const person = fc.record({
	was: channelNumbers,
	/** The channels for which an item names the person. By default, those in which the person was. */
	named: fc.option(channelNumbers, { freq: 2 }),
	/** What the list shows: the address in any form, none, or another address than the item has. */
	shows: fc.constantFrom('plain', 'plain', 'plain', 'upper', 'inBrackets', 'none', 'other'),
	writes: fc.constantFrom('plain', 'plain', 'upper', 'inBrackets', 'mailto'),
	/** How often the service refuses the person. */
	refused: fc.constantFrom(0, 0, 0, 0, 1, 3, Infinity),
	/** Whether the service accepts the person without adding them. */
	isIgnored: fc.constantFrom(false, false, false, false, false, true),
	/** The channels in which a second account of the address is. */
	twin: fc.constantFrom<number[]>([], [], [], [], [0], [0, 1]),
});
const oddRow = fc.record({
	text: fc.constantFrom(
		'',
		'-',
		'anna at example',
		'nobody@people.example',
		'HR1',
		'ü@people.example',
	),
	channel: fc.integer({ min: 0, max: 2 }),
});
const fault = fc.record({
	on: fc.constantFrom('GET', 'POST', 'recipient', 'remove', 'any'),
	what: fc.constantFrom('503', 'lost', 'drop', 'page', 'refuse', '403', '429', 'stripped'),
	skip: fc.nat(5),
	times: fc.integer({ min: 1, max: 7 }),
});
const anyWorld = fc.record({
	people: fc.array(person, { minLength: 1, maxLength: 9 }),
	oddRows: fc.array(oddRow, { maxLength: 2 }),
	faults: fc.array(fault, { maxLength: 1 }),
	mode: fc.constantFrom('mirror', 'mirror', 'mirror', 'add', 'remove'),
	by: fc.constantFrom('email', 'email', 'id'),
	isDry: fc.constantFrom(false, false, false, true),
	maxRemovalPercent: fc.constantFrom(0, 20, 50, 100, 100),
	removeDespiteInvalid: fc.constantFrom(false, false, true),
	chunkSize: fc.constantFrom(1, 2, 500),
	unknown: fc.constantFrom('refuse', 'ignore'),
	says: fc.constantFrom(...MEANS_UNKNOWN, ...MEANS_OTHER),
	/** Whether a refused request still adds the people whom the service knows. */
	isPartly: fc.boolean(),
	total: fc.constantFrom('all', 'page', 'none'),
	pageSize: fc.constantFrom(1, 2, 1000),
	/** How many members the list shows at most. `total` then counts all, because nothing else would show this. */
	cap: fc.constantFrom(Infinity, Infinity, Infinity, 3),
	/** How many reads after a change are late, and how late reads are, in milliseconds. */
	lag: fc.constantFrom(0, 0, 0, 1, 2, 4),
	lagMs: fc.constantFrom(0, 0, 500),
	/** Whether somebody else adds person 0 to channel 0, or removes them, before this request. */
	others: fc.constantFrom(null, null, null, 3, 5, 7),
});
type World = typeof anyWorld extends fc.Arbitrary<infer Value> ? Value : never;

/** The values of a world in which nothing stops a sync. */
const USUAL_PERSON = { shows: 'plain', refused: 0, isIgnored: false, twin: [] } as const;
const USUAL = {
	...{ oddRows: [], faults: [], isDry: false, maxRemovalPercent: 100, total: 'all' },
	...{ unknown: 'refuse', pageSize: 1000, cap: Infinity, lag: 0, others: null },
} as const;
const oddities = fc.subarray(Object.keys({ ...USUAL_PERSON, ...USUAL }), { maxLength: 3 });

/** Any worlds, and as many that differ from the usual values in at most three properties: many hide each other. */
export const worlds = fc.tuple(anyWorld, fc.option(oddities, { freq: 2 })).map(([world, odd]) => {
	if (!odd) return world;
	const usual = (values: object) =>
		Object.fromEntries(Object.entries(values).filter(([name]) => !odd.includes(name)));
	const people = world.people.map((one) => ({ ...one, ...usual(USUAL_PERSON) }));
	return { ...world, people, ...usual(USUAL) };
});
type Account = { id: string; hr: string; names: string[]; shown: string; person: number };
type Channel = {
	id: string;
	name: string;
	members: Set<string>;
	/** The members that the next reads show, one for each read. */
	past: Set<string>[];
	/** The members before the last change, which a read shows until this time. */
	late: { until: number; members: Set<string> };
};
/** An item, and the address or ID in its text. */
type Row = { text: string; given: string; channel: number; isReadable: boolean; isBlank: boolean };
type Event = { channel: number; id: string; isIn: boolean; by: 'sync' | 'others' };

const idOf = (kind: number, number: number) =>
	`64f1c0ffee0000000000${kind}${String(number).padStart(3, '0')}`;
const addressOf = (number: number) => `p${number}@people.example`;
const FORMS = {
	plain: (address: string) => address,
	upper: (address: string) => address.toUpperCase(),
	inBrackets: (address: string) => `Ada <${address}>`,
	mailto: (address: string) => `mailto:${address}`,
	none: () => '',
	other: (address: string) => `new.${address}`,
};

class ModelService {
	readonly accounts: Account[];
	readonly channels: Channel[];
	readonly start: Set<string>[];
	readonly events: Event[] = [];
	readonly posts: Array<{ channel: number; isAdding: boolean; recipients: string[] }> = [];
	private readonly refusals = new Map<number, number>();
	private readonly faults: World['faults'];
	private now = 0;

	constructor(readonly world: World) {
		this.faults = structuredClone(world.faults);
		this.accounts = world.people.flatMap(({ shows, twin }, number): Account[] => {
			const address = addressOf(number);
			const names = shows === 'other' ? [address, `new.${address}`] : [address];
			const shown = FORMS[shows](address);
			const one = { id: idOf(1, number), hr: `HR${number}`, names, shown, person: number };
			return twin.length > 0 ? [one, { ...one, id: idOf(2, number), hr: '' }] : [one];
		});
		this.channels = [0, 1].map((number) => {
			const inIt = world.people.flatMap(({ was, twin }, index) => [
				...(was.includes(number) ? [idOf(1, index)] : []),
				...(twin.includes(number) ? [idOf(2, index)] : []),
			]);
			const members = new Set(inIt);
			const late = { until: 0, members };
			return { id: idOf(0, number), name: `News ${number}`, members, past: [], late };
		});
		this.start = this.channels.map(({ members }) => new Set(members));
	}

	readonly accountsOf = (reference: string): Account[] => {
		const given = reference.toLowerCase();
		return this.accounts.filter(
			({ id, hr, names }) => id === given || hr === reference || names.includes(given),
		);
	};

	/** Returns the response, or undefined to close the connection. */
	answer(
		method: string,
		url: string,
		body: unknown,
	): { status: number; body: object | string } | undefined {
		if (this.now++ === this.world.others) {
			const [isIn, id] = [!this.channels[0]?.members.has(idOf(1, 0)), idOf(1, 0)];
			this.move(0, id, isIn, 'others');
		}
		const { pathname, searchParams } = new URL(url, 'http://service');
		const met = this.faults.find(
			({ on }) => on === 'any' || on === method || pathname.endsWith(on),
		);
		const isMet = met !== undefined && met.skip-- <= 0 && met.times-- > 0;
		const what = isMet ? met.what : undefined;
		if (what === 'drop') return undefined;
		if (what === '503' || what === '429')
			return { status: Number(what), body: { success: false, message: 'Busy' } };
		if (what === 'refuse')
			return { status: 200, body: { success: false, message: this.world.says } };
		if (what === '403') return { status: 403, body: { success: false, message: 'No permission' } };
		const reply = this.carryOut(method, pathname, searchParams, body);
		if (what === 'page') return { status: 200, body: '<html>Please sign in</html>' };
		if (what === 'lost') return { status: 503, body: { success: false, message: 'Unavailable' } };
		return { status: 200, body: what === 'stripped' ? { success: true } : reply };
	}

	private carryOut(method: string, path: string, query: URLSearchParams, body: unknown): object {
		const [, id, rest = ''] = /^\/int\/v1\/channel(?:\/([^/]+)(\/.*)?)?$/.exec(path) ?? [];
		if (id === undefined && method === 'GET') {
			const data = this.channels.map((one) => ({ _id: one.id, name: one.name }));
			return { success: true, data, total: data.length };
		}
		const number = this.channels.findIndex((one) => one.id === id);
		const channel = this.channels[number];
		if (!channel) return { success: false, message: 'Invalid parameters' };
		if (method === 'GET' && rest === '')
			return { success: true, data: { _id: channel.id, name: channel.name } };
		if (method === 'GET' && rest === '/recipient') return this.list(channel, query);
		const isAdding = rest === '/recipient';
		if (method !== 'POST' || !(isAdding || rest === '/recipient/remove'))
			throw new Error(`${method} ${path}`);
		const { recipients } = isObject(body) ? body : {};
		return this.change(number, isAdding, Array.isArray(recipients) ? recipients.map(String) : []);
	}

	private list({ members, past, late }: Channel, query: URLSearchParams): object {
		const { cap, total, pageSize } = this.world;
		const skip = Number(query.get('skip') ?? 0);
		if (skip === 0 && past.length > 0) past.shift();
		const shown = [...(past[0] ?? (Date.now() < late.until ? late.members : members))];
		const data = shown
			.slice(0, cap)
			.slice(skip, skip + Math.min(pageSize, Number(query.get('limit') ?? 20)))
			.map((id) => ({
				_id: id,
				email: this.accounts.find((one) => one.id === id)?.shown || undefined,
			}));
		const totals = { all: { total: shown.length }, page: { total: data.length }, none: {} };
		return { success: true, data, ...totals[cap < Infinity ? 'all' : total] };
	}

	private change(number: number, isAdding: boolean, recipients: string[]): object {
		this.posts.push({ channel: number, isAdding, recipients });
		const known: Account[] = [];
		let isRefused = false;
		for (const reference of recipients) {
			const accounts = this.accountsOf(reference);
			const [one] = accounts;
			const times = one ? (this.refusals.get(one.person) ?? 0) : 0;
			const isLocked = isAdding && one && times < (this.world.people[one.person]?.refused ?? 0);
			if (isLocked) this.refusals.set(one.person, times + 1);
			if (isLocked || (!one && this.world.unknown === 'refuse')) isRefused = true;
			else if (!(isAdding && one && this.world.people[one.person]?.isIgnored))
				known.push(...accounts);
		}
		const channel = this.channels[number];
		if (channel && (!isRefused || this.world.isPartly)) {
			const before = new Set(channel.members);
			for (const { id } of known)
				if (channel.members.has(id) !== isAdding) this.move(number, id, isAdding, 'sync');
			channel.past = Array.from({ length: this.world.lag + 1 }, () => before);
			channel.late = { until: Date.now() + this.world.lagMs, members: before };
		}
		return isRefused ? { success: false, message: this.world.says } : { success: true };
	}

	private move(channel: number, id: string, isIn: boolean, by: Event['by']): void {
		const members = this.channels[channel]?.members;
		if (isIn) members?.add(id);
		else members?.delete(id);
		this.events.push({ channel, id, isIn, by });
	}
}

function rowsOf({ people, oddRows, by }: World): Row[] {
	const rows = people.flatMap(({ was, named, writes }, number) =>
		(named ?? was).map((channel) => {
			const text = by === 'id' ? idOf(1, number) : FORMS[writes](addressOf(number));
			const given = by === 'id' ? text : addressOf(number);
			return { text, given, channel, isReadable: true, isBlank: false };
		}),
	);
	const odd = oddRows.map(({ text, channel }) => {
		const isReadable = by === 'id' ? text === 'HR1' : text === 'nobody@people.example';
		return { text, given: text, channel, isReadable, isBlank: text === '' || text === '-' };
	});
	return [...rows, ...odd];
}

/**
 * Returns the channels that Mirror did not make exactly right, although nothing stands in its way: all people of the
 * channel are shown as the items name them, and the people of the other channel are known. A former address, or an address
 * that the service ignores, stops only the channel for which an item names it.
 */
function undone({ world, channels, start, accountsOf }: ModelService, rows: Row[]): string[] {
	const { mode, by, isDry, maxRemovalPercent, faults, cap, lag, others, people } = world;
	const isCalm = faults.length === 0 && cap === Infinity && lag < 2 && others === null;
	const isHeld = rows.some((row) => !row.isReadable && !row.isBlank) && !world.removeDespiteInvalid;
	const isRefused = rows.some(({ given }) =>
		accountsOf(given).some(({ person: number }) => (people[number]?.refused ?? 0) > 0),
	);
	const isUnclear = world.unknown === 'ignore' || MEANS_OTHER.includes(world.says);
	if (mode !== 'mirror' || isDry || maxRemovalPercent < 100 || !isCalm) return [];
	if (isHeld || isRefused || rows.some(({ channel }) => !channels[channel])) return [];
	return channels.flatMap(({ name, members }, number) => {
		const own = rows.filter(({ channel, isReadable }) => channel === number && isReadable);
		const named = own.flatMap(({ given }) => accountsOf(given));
		const isIgnored = ({ person: index }: Account) => people[index]?.isIgnored;
		const isHidden = (one: Account) =>
			isIgnored(one) || ['none', 'other'].includes(people[one.person]?.shows ?? '');
		const isOwnUnclear = own.some(({ given }) => {
			const accounts = accountsOf(given);
			// By ID, the list shows another ID than the HR number.
			return accounts.length === 0 ? isUnclear : by === 'id' && accounts[0]?.id !== given;
		});
		if (named.length === 0 || named.some(isHidden) || isOwnUnclear) return [];
		const isKept = (id: string) =>
			by === 'email' && people[accountsOf(id)[0]?.person ?? -1]?.shows === 'none';
		const elsewhere = rows.filter(({ channel }) => channel !== number);
		// Who moves stays until they are in the other channel.
		const isMoving = (id: string) =>
			elsewhere.some(({ given }) =>
				accountsOf(given).some((one) => one.id === id && isIgnored(one)),
			);
		const stay = [...(start[number] ?? [])].filter((id) => isKept(id) || isMoving(id));
		const mayBeIn = new Set([...named.map(({ id }) => id), ...stay]);
		// One of several accounts with an address is enough.
		const isIn = ({ given }: Row) => accountsOf(given).some(({ id }) => members.has(id));
		const areIn = own.every((row) => isIn(row) || accountsOf(row.given).length === 0);
		const isSame = areIn && [...members].every((id) => mayBeIn.has(id));
		return isSame ? [] : [`${name} has not exactly its people, and nothing stopped it`];
	});
}

/** Returns a sentence for each promise that a run has broken. */
function brokenPromises(service: ModelService, rows: Row[], { json }: RunResult): string[] {
	const { world, channels, start, events, posts } = service;
	const { mode, by, isDry, removeDespiteInvalid, people, maxRemovalPercent } = world;
	const found = undone(service, rows);
	const meant = (row: Row) => (row.isReadable ? service.accountsOf(row.given) : []);
	const own = (channel: number) => rows.filter((row) => row.channel === channel);
	const names = (channel: number, id: string) =>
		own(channel).filter((row) => meant(row).some((one) => one.id === id));
	const removals = events.filter((one) => !one.isIn && one.by === 'sync');
	if (isDry && posts.length > 0) found.push('a dry run changes something');
	for (const { id, channel, isIn, by: who } of events)
		if (isIn && who === 'sync' && names(channel, id).length === 0)
			found.push(`${id} is in ${channel}, unnamed`);
	for (const { id, channel } of removals) {
		const account = service.accounts.find((one) => one.id === id);
		const quirk = people[account?.person ?? -1];
		const naming = names(channel, id);
		if (mode === 'remove' ? naming.length === 0 : mode !== 'mirror')
			found.push(`${id} is out of ${channel} for nothing`);
		if (mode === 'mirror' && by === 'email' && quirk?.shows === 'none')
			found.push(`${id} has no address and is out of ${channel}`);
		if (mode !== 'mirror') continue;
		// An alias that the service twice calls unknown is unknown. Remove Despite Invalid gives up whom the service refuses twice
		// or ignores, and adds everybody else again.
		const isCalledUnknown = MEANS_UNKNOWN.includes(world.says) || removeDespiteInvalid;
		const isRefused = (quirk?.refused ?? 0) > 1 && isCalledUnknown;
		const isGivenUp = removeDespiteInvalid && (quirk?.isIgnored || world.faults.length > 0);
		const isLost = quirk?.shows === 'other' && (isRefused || isGivenUp);
		const isBack = removeDespiteInvalid && channels[channel]?.members.has(id);
		if (naming.length > 0 && !isLost && !isBack)
			found.push(`${id} is named for ${channel} and out of it`);
		const elsewhere = [0, 1].filter((other) => other !== channel && names(other, id).length > 0);
		const isAnywhere = channels.some(({ members }) =>
			service.accounts.some((one) => one.person === account?.person && members.has(one.id)),
		);
		if (elsewhere.length > 0 && !isAnywhere && quirk?.shows !== 'other' && world.others === null)
			found.push(`${id} moves and is nowhere`);
		if (
			!removeDespiteInvalid &&
			rows.some((row) => !row.isReadable && !row.isBlank && row.channel < 2)
		)
			found.push(`${id} is out despite an unreadable item`);
		const isCut = world.others === null && (start[channel]?.size ?? 0) > world.cap;
		if (isCut) found.push(`${id} is out of ${channel}, whose list is incomplete`);
		// Nobody knows who an item's person is: accepted and not shown, or refused for another reason than being unknown. By ID, an
		// ID is the person.
		const isUnclear = (row: Row) =>
			meant(row).some(({ person: number }) => {
				const { isIgnored, refused = 0 } = people[number] ?? {};
				const isIgnoredNow = isIgnored && refused === 0;
				const isOther = by === 'email' && refused > 3 && MEANS_OTHER.includes(world.says);
				return isIgnoredNow || isOther;
			}) && !meant(row).some((one) => start[channel]?.has(one.id));
		// Others may add a person whom the service ignores.
		if (own(channel).some(isUnclear) && !removeDespiteInvalid && world.others === null)
			found.push(`${id} is out although nobody knows who an item's person is`);
	}
	for (const [number, members] of start.entries()) {
		const out = removals.filter(({ channel }) => channel === number).length;
		const isAllowed =
			out * 100 <= maxRemovalPercent * members.size || (out === 1 && maxRemovalPercent > 0);
		const isTwin = people.some(({ twin }) => twin.length > 0);
		if (mode === 'mirror' && !isAllowed && !isTwin && world.others === null)
			found.push(`${out} of ${members.size} are out of ${number}`);
	}
	const lines = json.map(({ recipient, status, reason, channelId }) => ({
		recipient,
		status,
		reason: String(reason),
		channelId,
	}));
	for (const [index, row] of rows.entries()) {
		const { status, reason = '' } = lines[index] ?? {};
		const channel = channels[row.channel];
		// A read without its list, or a list that ends early, proves nothing, and the reason says so. Nor does a list that does not
		// show what the item says.
		const mayFail = world.cap < Infinity || world.faults.some(({ on }) => on !== 'POST');
		const isLate = world.lag > 2;
		const isListed = meant(row).some(({ id, shown }) => {
			const key = by === 'id' ? id : shown.toLowerCase().replace(/^.*<|>$/g, '');
			return key === row.given.toLowerCase() && channel?.members.has(id);
		});
		const isUnverified = reason.startsWith('Unverified') && (mayFail || isLate || !isListed);
		if (!channel || isDry || world.others !== null || isUnverified) continue;
		const ids = meant(row).map(({ id }) => id);
		const was = ids.some((id) => start[row.channel]?.has(id));
		const is = ids.some((id) => channel.members.has(id));
		const claims = {
			added: !was && is,
			alreadyMember: was && is,
			removed: was && !is,
			notMember: !was && !is,
		};
		const isWrong = Object.entries(claims).some(([name, isTrue]) => name === status && !isTrue);
		const isTwin = ids.length > 1;
		if (isWrong && !isTwin)
			found.push(`item ${index} (${row.text}) is ${String(status)}, was ${was}, is ${is}`);
		if (
			status === 'unknown' &&
			ids.length > 0 &&
			(people[meant(row)[0]?.person ?? 0]?.refused ?? 0) < 2 &&
			world.faults.length === 0
		)
			found.push(`item ${index} (${row.text}) is unknown`);
	}
	for (const { id, channel } of removals) {
		const { shown = '' } = service.accounts.find((one) => one.id === id) ?? {};
		const isBack = removeDespiteInvalid && channels[channel]?.members.has(id);
		const isLine = lines.some(({ recipient, status, channelId }) => {
			const isPerson =
				by === 'id'
					? recipient === id
					: shown.toLowerCase().includes(String(recipient).toLowerCase()) && recipient !== '';
			return (
				(isPerson || mode === 'remove') &&
				channelId === channels[channel]?.id &&
				(status === 'removed' || status === 'failed')
			);
		});
		if (!isLine && !isBack && mode !== 'remove') found.push(`the removal of ${id} is hidden`);
	}
	return found;
}

/** Starts the server of the model. The test must fake sleep and clock first (`useFakeSleep`). */
export async function startChannelModel() {
	let current: ModelService | undefined;
	const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
		const body: unknown = JSON.parse((await text(incoming)) || '{}');
		const reply = current?.answer(incoming.method ?? '', incoming.url ?? '', body);
		if (!reply) return void incoming.socket.destroy();
		const type = typeof reply.body === 'string' ? 'text/html' : 'application/json';
		response.writeHead(reply.status, { 'content-type': type, 'retry-after': '0' });
		response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
	};
	const server = await startServer((incoming, response) => void handle(incoming, response));
	const counts: Record<string, number> = {};
	async function play(world: World): Promise<string[]> {
		resetClock();
		const service = (current = new ModelService(world));
		const rows = rowsOf(world);
		if (rows.length === 0) return [];
		const { mode, by, isDry, maxRemovalPercent, removeDespiteInvalid, chunkSize } = world;
		const result = await runNode({
			credential: anyAccessKey(server.url),
			parameters: {
				...{ resource: 'channelRecipient', operation: 'sync', mode, identifyBy: by, dryRun: isDry },
				channelId: locator('={{ $json.channel }}', 'name'),
				...{ recipient: '={{ $json.person }}', maxRemovalPercent },
				options: { removeDespiteInvalid, chunkSize },
			},
			items: rows.map((row) => ({ json: { person: row.text, channel: `News ${row.channel}` } })),
			onError: 'continueRegularOutput',
		});
		for (const { status } of result.json)
			counts[`${mode} ${String(status)}`] = (counts[`${mode} ${String(status)}`] ?? 0) + 1;
		return brokenPromises(service, rows, result);
	}
	return {
		counts,
		play,
		stop: async () => await server.stop(),
	};
}
