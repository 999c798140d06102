import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isObject } from '../../kit/typed.mts';
import {
	answersOf,
	pick,
	shown,
	type Campaign,
	type Questions,
	type Setting,
	type World,
} from './world.mts';

/** What the service does in one poll. */
export type Conditions = {
	/** What is wrong with the list, and with the reads of each campaign. */
	list?: string;
	reads?: string[];
	/** How many reads of survey data the service allows. */
	limit?: number;
	/** Whether responses lack the Date header. */
	lacksDate?: boolean;
	/** What happens during the poll, and at which of its requests. */
	during?: { what: string; request: number };
};

export const CALM: Conditions = {};

/** What the service leaves open, for a whole history. */
export type Service = Questions & {
	sendsDate: boolean;
	newestFirst: boolean;
	/** Whether live dates have no time. */
	days: boolean;
};

/** A readable response with survey data: for each row, whether it shows a user ID, its stage, date and answers. */
export type Read = {
	at: number;
	campaign: Campaign;
	isAnonymous: boolean;
	rows: Map<
		number,
		{
			isNamed: boolean;
			stage: number;
			date?: number;
			look: string;
			times: number;
			answers: IDataObject;
		}
	>;
};

/** One poll: what the trigger asked for, was told and did. */
export type PollRecord = {
	at: number;
	how: string;
	setting: Setting;
	requests: string[];
	/** The campaigns on the list; undefined if no list was read. */
	listed?: Map<string, string>;
	reads: Read[];
	/** Whether a read was refused because there were too many requests. */
	limited?: boolean;
	/** The campaigns with a failed read, and the recipients in reports. */
	failed: Set<string>;
	recipients: Map<string, number>;
	items: IDataObject[];
	ended?: number;
	error?: unknown;
	/** What happened meanwhile. */
	during?: string;
	/** Whether its list had a Date header. */
	hasDate: boolean;
	/** How far n8n's clock was ahead. */
	clock: number;
};

const respond = (statusCode: number, body: unknown): IDataObject =>
	// The refusal asks for a longer wait than the trigger accepts, so that it does not retry within the poll.
	({ statusCode, headers: { 'retry-after': '3600' }, body }) as IDataObject;
const ok = (data: unknown) => respond(200, { success: true, data });
const refuse = (message: string, statusCode = 200) =>
	respond(statusCode, { success: false, message });

/** The failures that can happen to any request. */
const FAILURES: Record<string, IDataObject> = {
	error: refuse('Out of order', 500),
	tooMany: refuse('Too many requests', 429),
	unauthorized: refuse('Unauthorized', 401),
	forbidden: refuse('Forbidden', 403),
	brokenJson: respond(200, '<html>'),
	refusal: refuse('Illegal parameters'),
	noResult: ok('none'),
};

/** What the list may tell instead of the status. */
const ODD_STATUSES: Record<string, IDataObject> = {
	noStatus: { status: undefined },
	oddStatus: { status: '7' },
};

/** The names of all failures. */
export const failures = [...Object.keys(FAILURES), 'brokenConnection', 'hanging'];
const misreadings = ['empty', 'partial', 'flip', 'noReport'];
const mislistings = ['empty', 'partial', 'noStatus', 'oddStatus', 'endless', 'repeats', 'stuck'];
export const FAULTS = [...failures, ...misreadings, ...mislistings];
const none = Array<string>(20).fill('');
const LISTS = [...none, ...failures, ...mislistings];
const READS = [...none, ...failures, ...misreadings];

/** What may happen while a poll waits for a response. */
const DURING = ['overlap', 'hang', 'save', 'off', 'takeOver', 'kill', 'arrive', 'close'];

/** Returns what two random numbers mean for a poll: every second one is calm. */
function conditionsOf(a: number, b: number): Conditions {
	const request = Math.floor(a / 16) % 4;
	if (a % 2 === 0) return CALM;
	if (a % 16 < 4) return { during: { what: pick(DURING, a / 64), request } };
	return {
		list: pick(LISTS, a / 16),
		reads: Array.from({ length: 8 }, (_, number) => pick(READS, b / 7 ** number)),
		limit: a % 5 === 0 ? request : undefined,
		lacksDate: a % 7 === 0,
	};
}

const all = (fault = ''): string[] => Array<string>(8).fill(fault);

/** What fails in an outage: the list, and the reads of one campaign or of all. */
const OUTAGES = {
	service: { list: 'error', reads: 'error', isAll: true },
	key: { list: 'unauthorized', reads: 'forbidden', isAll: true },
	network: { list: 'brokenConnection', reads: 'brokenConnection', isAll: true },
	limited: { list: '', reads: 'tooMany', isAll: true },
	reads: { list: '', reads: 'error', isAll: true },
	list: { list: 'error', reads: '', isAll: true },
	refused: { list: '', reads: 'forbidden', isAll: false },
	empty: { list: '', reads: 'empty', isAll: false },
} as const;
export type Outage = { kind: keyof typeof OUTAGES; campaign: number; until: number };
export const outageNames = Object.keys(OUTAGES) as Array<keyof typeof OUTAGES>;

/** Returns the conditions of a poll during an outage. */
export function duringOutage({ kind, campaign }: Outage): Conditions {
	const { list, reads, isAll } = OUTAGES[kind];
	return { list, reads: all('').map((_, number) => (isAll || number === campaign ? reads : '')) };
}

/** What the service does in the polls that an action names. */
export const POLLS: Record<string, (a: number, b: number) => Conditions> = {
	poll: conditionsOf,
	calm: () => CALM,
	list: (fault) => ({ list: FAULTS[fault] }),
	reads: (fault) => ({ reads: all(FAULTS[fault]) }),
	// In the next publication, only the first campaign can be read, and perhaps no list.
	next: (fault, list) => ({
		list: list % 4 === 0 ? 'brokenConnection' : undefined,
		reads: ['', ...all(FAULTS[fault % FAULTS.length])],
	}),
	during: (what, request) => ({ during: { what: pick(DURING, what), request: request % 4 } }),
};

/** Responds to the requests of one poll, and records them. */
export class Exchange {
	constructor(
		private readonly world: World,
		private readonly service: Service,
		private readonly record: PollRecord,
		private readonly conditions = CALM,
	) {}

	/** Returns the response to a request. @throws a broken connection */
	async respond({ url, qs = {} }: IHttpRequestOptions): Promise<IDataObject> {
		const { world, record } = this;
		const { list = '', reads = [], limit = Infinity, lacksDate = false } = this.conditions;
		const [, id, what = 'status'] = /^\/int\/v1\/campaign\/(\w+)(?:\/(\w+))?$/.exec(url) ?? [];
		const number = world.campaigns.findIndex((campaign) => campaign.id === id);
		const campaign = world.campaigns[number];
		record.requests.push(campaign ? `${what} ${campaign.id}` : 'list');
		if (id !== undefined && !campaign) return refuse('Not Found.');
		const fault = (campaign ? reads[number] : list) ?? '';
		if (campaign && what === 'surveyData') record.failed.add(campaign.id);
		if (fault === 'hanging')
			throw Object.assign(new Error('timeout exceeded'), { code: 'ECONNABORTED' });
		if (fault === 'brokenConnection')
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		const isLimited =
			record.requests.filter((each) => each.startsWith('surveyData')).length > limit &&
			what === 'surveyData';
		record.limited ||= isLimited || fault === 'tooMany';
		const response =
			FAILURES[isLimited ? 'tooMany' : fault] ??
			(campaign ? this.campaign(campaign, what, fault) : this.list(qs, fault));
		const hasDate = this.service.sendsDate && !lacksDate;
		const isList = !campaign && isObject(response.body) && response.body.success === true;
		record.hasDate ||= hasDate && isList;
		const date = hasDate && { date: new Date(world.now).toUTCString() };
		return { ...response, headers: { ...(response.headers as IDataObject), ...date } };
	}

	private isReadable({ account, sharedAt, isHidden }: Campaign): boolean {
		const isOwn = account === undefined || account === this.record.setting.account;
		return isOwn && !isHidden && sharedAt <= this.world.now;
	}

	private campaign(campaign: Campaign, what: string, fault: string): IDataObject {
		const { id, isSurvey, rows } = campaign;
		const { service, record, world } = this;
		if (!this.isReadable(campaign))
			return id === 'c0' ? refuse('Not Found.') : refuse('Forbidden', 403);
		if (what === 'report') {
			if (fault === 'noReport') return refuse('Out of order', 500);
			record.recipients.set(id, rows.length + 1);
			return ok({ recipientsAmount: rows.length + 1 });
		}
		if (what === 'status') return ok({ name: id, status: campaign.status });
		if (!isSurvey) return refuse('Campaign is not a survey');
		const isAnonymous = campaign.isAnonymous !== (fault === 'flip');
		const present = rows.filter(
			(row) => !row.isHidden && fault !== 'empty' && !(fault === 'partial' && row.id % 2 === 0),
		);
		const read: Read = { at: world.now, campaign, isAnonymous, rows: new Map() };
		for (const row of present) {
			const { id, idKind, stage, date, times } = row;
			const isNamed = idKind !== 'none' && !isAnonymous;
			const answers = answersOf(row, service);
			const look = JSON.stringify([date, answers]);
			read.rows.set(id, { isNamed, stage, date, times, look, answers });
		}
		record.failed.delete(id);
		record.reads.push(read);
		const number = record.reads.length + world.facts.length;
		const result = present.map((row) => shown(row, number, !isAnonymous, service));
		if (service.newestFirst) result.reverse();
		const questions = ['A', 'B', 'C'].map((title) => ({
			...{ _id: title, title, required: title !== service.skipped },
		}));
		return ok({ name: id, anonymous: isAnonymous, questions, result });
	}

	private list(qs: IDataObject, fault: string): IDataObject {
		const { world, record } = this;
		const { previousLastId, minLiveDate, category } = qs;
		if (fault === 'endless') {
			world.now += 30_000;
			const length = record.requests.length > 50 ? 0 : 1000;
			const place = record.requests.length;
			return ok(Array.from({ length }, (_, each) => ({ _id: `x${place}x${each}` })));
		}
		const from = typeof minLiveDate === 'string' ? Date.parse(minLiveDate) : -Infinity;
		const present = world.campaigns.filter(
			(campaign, number) =>
				this.isReadable(campaign) &&
				!(campaign.isUnlisted || (campaign.liveAt ?? Infinity) < from || fault === 'empty') &&
				(category === undefined || category === campaign.category) &&
				!(fault === 'partial' && number % 2 === 0),
		);
		const start = present.findIndex(({ id }) => id === previousLastId) + 1;
		// Three campaigns a page. A page may repeat the first campaign, or all pages may be the same.
		const page = fault === 'stuck' ? present : present.slice(start, start + 3);
		if (fault === 'repeats' && start > 0 && page.length > 0) page.unshift(...present.slice(0, 1));
		const listed = previousLastId !== undefined ? record.listed : new Map();
		record.listed = listed;
		for (const { id, status } of page) listed?.set(id, fault in ODD_STATUSES ? '' : status);
		const live = ({ liveAt }: Campaign) =>
			liveAt === undefined
				? undefined
				: new Date(liveAt).toISOString().slice(0, this.service.days ? 10 : 24);
		return ok(
			page.map((campaign) => ({
				...{ _id: campaign.id, name: campaign.id, status: campaign.status },
				liveDate: live(campaign),
				...ODD_STATUSES[fault],
			})),
		);
	}
}
