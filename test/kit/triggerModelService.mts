import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { pick, shown, type Campaign, type Row, type World } from './triggerModelWorld.mts';

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

/** A row as one response showed it. */
export type Shown = Pick<Row, 'id' | 'stage' | 'date' | 'answer' | 'hasId'>;

/** A readable response with survey data. */
export type Read = { isAnonymous: boolean; rows: Shown[] };

/** How often each thing occurred in this process. */
export const occurrences = new Map<string, number>();

export function count(what: string): void {
	occurrences.set(what, (occurrences.get(what) ?? 0) + 1);
}

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
export const failures = [...Object.keys(FAILURES), 'brokenConnection'];
const misreadings = ['notASurvey', 'empty', 'partial', 'flip', 'noReport', 'numberStatus'];
const mislistings = ['empty', 'partial', 'noStatus', 'oddStatus', 'numberStatus', 'endless'];
export const FAULTS = [...failures, ...misreadings, ...mislistings];
const none = Array<string>(20).fill('');
const LISTS = [...none, ...failures, ...mislistings];
const READS = [...none, ...failures, ...misreadings];

/** Returns what two random numbers mean for a poll: every second one is calm. */
export function conditionsOf(a: number, b: number): Conditions {
	const request = Math.floor(a / 16) % 4;
	const what = pick(['overlap', 'hang', 'republish', 'takeOver', 'kill'], a / 64);
	if (a % 2 === 0) return CALM;
	if (a % 16 < 4) return { during: { what, request } };
	return {
		list: pick(LISTS, a / 16),
		reads: Array.from({ length: 8 }, (_, number) => pick(READS, b / 7 ** number)),
		limit: a % 5 === 0 ? request : undefined,
		lacksDate: a % 7 === 0,
	};
}

const all = (fault = ''): string[] => Array<string>(8).fill(fault);

/** What the service does in the polls that an action names. */
export const POLLS: Record<string, (a: number, b: number) => Conditions> = {
	poll: conditionsOf,
	calm: () => CALM,
	list: (fault) => ({ list: FAULTS[fault] }),
	reads: (fault) => ({ reads: all(FAULTS[fault]) }),
	// Only the first campaign can be read, but not the list.
	onlyFirst: () => ({ list: 'error', reads: ['', ...all('error')] }),
	noDate: () => ({ lacksDate: true }),
};

/** What the service told about one campaign in a poll. */
export type Told = {
	/** What was requested: `surveyData`, `status`, `report`. */
	tried: Set<string>;
	read?: Read;
	/** Whether the service said that the campaign is not a survey. */
	isDenied?: boolean;
	/** Whether a request for its status succeeded. */
	isAsked?: boolean;
	/** The status in the campaign's own record, and the recipients in its report. */
	status?: string;
	recipients?: number;
};

/** What happens between the service and the trigger in one poll. */
export class Exchange {
	/** What the service's clock and n8n's show at its start. */
	readonly serviceNow: number;
	readonly ownNow = Date.now();
	/** What the trigger did. */
	items: IDataObject[] = [];
	isThrown = false;
	requests = 0;
	/** Whether any response told the time of the service. */
	hasDate = false;
	/** Whether the list told it. */
	listHasDate = false;
	/** The campaigns on the list; undefined if no list could be read. */
	listed?: Map<string, { status?: string; liveAt?: number }>;
	readonly told = new Map<string, Told>();

	constructor(
		private readonly world: World,
		private readonly sendsDate: boolean,
		private readonly conditions = CALM,
	) {
		this.serviceNow = world.serviceNow;
	}

	about(id: string): Told {
		const told = this.told.get(id) ?? { tried: new Set() };
		this.told.set(id, told);
		return told;
	}

	/** Returns the response to a request. @throws a broken connection */
	respond({ url, qs = {} }: IHttpRequestOptions): IDataObject {
		this.requests++;
		const { list = '', reads = [], limit = Infinity, lacksDate = false } = this.conditions;
		const [, id, what = 'status'] = /^\/int\/v1\/campaign\/(\w+)(?:\/(\w+))?$/.exec(url) ?? [];
		const number = this.world.campaigns.findIndex((campaign) => campaign.id === id);
		const campaign = this.world.campaigns[number];
		if (id !== undefined && !campaign) return refuse('Not Found.');
		const fault = (campaign ? reads[number] : list) ?? '';
		if (fault) count(`${campaign ? what : 'list'}: ${fault}`);
		const told = campaign && this.about(campaign.id);
		told?.tried.add(what);
		if (fault === 'brokenConnection')
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		const tried = [...this.told.values()].filter((each) => each.tried.has('surveyData'));
		const isLimited = what === 'surveyData' && tried.length > limit;
		if (isLimited) count('limit reached');
		const response: IDataObject =
			FAILURES[isLimited ? 'tooMany' : fault] ??
			(campaign && told ? this.campaign(campaign, told, what, fault) : this.list(qs, fault));
		const hasDate = this.sendsDate && !lacksDate;
		if (lacksDate) count('no Date header');
		const isSuccess = (response.body as IDataObject).success === true;
		if (told && what === 'status' && isSuccess) told.isAsked = true;
		const isTold = hasDate && isSuccess;
		this.hasDate ||= isTold;
		this.listHasDate ||= isTold && !campaign;
		const date = hasDate && { date: new Date(this.world.serviceNow).toUTCString() };
		return { ...response, headers: { ...(response.headers as IDataObject), ...date } };
	}

	private campaign(campaign: Campaign, told: Told, what: string, fault: string): IDataObject {
		const { id, status, isHidden, isSurvey, isAnonymous, rows } = campaign;
		if (isHidden) return id === 'c0' ? refuse('Not Found.') : refuse('Forbidden', 403);
		if (what === 'report') {
			if (fault === 'noReport') return refuse('Out of order', 500);
			return ok({ recipientsAmount: (told.recipients = rows.length + 1) });
		}
		if (what === 'status') {
			told.status = status;
			return ok({ name: id, status: fault === 'numberStatus' ? Number(status) : status });
		}
		told.isDenied = fault === 'notASurvey' || !isSurvey;
		if (told.isDenied) return refuse('Campaign is not a survey');
		const anonymous = isAnonymous !== (fault === 'flip');
		const present = rows.filter(
			(row) => !row.isHidden && fault !== 'empty' && !(fault === 'partial' && row.id % 2 === 0),
		);
		told.read = {
			isAnonymous: anonymous,
			rows: present.map((row) => ({ ...row })),
		};
		const read = this.world.reads++;
		return ok({ name: id, anonymous, result: present.map((row) => shown(row, read, anonymous)) });
	}

	private list({ previousLastId, minLiveDate, category }: IDataObject, fault: string): IDataObject {
		if (fault === 'endless') {
			this.world.now += 30_000;
			const length = this.requests > 50 ? 0 : 1000;
			return ok(Array.from({ length }, (_, place) => ({ _id: `x${this.requests}x${place}` })));
		}
		if (previousLastId !== undefined) return ok([]);
		const from = typeof minLiveDate === 'string' ? Date.parse(minLiveDate) : -Infinity;
		const present = this.world.campaigns.filter(
			({ isHidden, isUnlisted, liveAt = Infinity, category: own }, number) =>
				!(isHidden || isUnlisted || liveAt < from || fault === 'empty') &&
				(category === undefined || category === own) &&
				!(fault === 'partial' && number % 2 === 0),
		);
		// Asked again by the service's clock, the list counts as it is then.
		this.listed = new Map();
		for (const { id, status, liveAt } of present)
			this.listed.set(id, fault in ODD_STATUSES ? { liveAt } : { status, liveAt });
		return ok(
			present.map(({ id, status, liveAt }) => ({
				...{ _id: id, name: id, status: fault === 'numberStatus' ? Number(status) : status },
				liveDate: liveAt === undefined ? undefined : new Date(liveAt).toISOString(),
				...ODD_STATUSES[fault],
			})),
		);
	}
}
