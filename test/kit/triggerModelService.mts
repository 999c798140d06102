import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { pick, type Campaign, type Row, type World } from './triggerModelWorld.mts';

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
	const what = pick(['overlap', 'hang', 'republish', 'kill'], a / 64);
	if (a % 2 === 0) return CALM;
	if (a % 16 < 4) return { during: { what, request } };
	return {
		list: pick(LISTS, a / 16),
		reads: Array.from({ length: 8 }, (_, number) => pick(READS, b / 7 ** number)),
		limit: a % 5 === 0 ? request : undefined,
		lacksDate: a % 7 === 0,
	};
}

/** What the service tells the trigger in one poll. */
export class Exchange {
	requests = 0;
	/** Whether a response, and the list, told the time of the service. */
	hasDate = false;
	listHasDate = false;
	/** The campaigns on the list; undefined if no list could be read. */
	listed?: Set<Campaign>;
	/** The status of each campaign, on the list and in the campaign's own record. */
	listedStatus = new Map<Campaign, string>();
	askedStatus = new Map<Campaign, string>();
	/** The campaigns for which these were requested, the readable survey data, and the recipients in the reports. */
	tried: Record<string, Set<Campaign>> = {
		...{ surveyData: new Set(), status: new Set(), report: new Set() },
	};
	reads = new Map<Campaign, Read>();
	reports = new Map<Campaign, number>();
	denied = new Set<Campaign>();

	constructor(
		private readonly world: World,
		private readonly sendsDate: boolean,
		private readonly conditions = CALM,
	) {}

	/** Returns the response to a request. @throws a broken connection */
	respond({ url, qs = {} }: IHttpRequestOptions): IDataObject {
		this.requests++;
		const { list = '', reads = [], limit = Infinity, lacksDate = false } = this.conditions;
		const [, id, what = 'status'] = /^\/int\/v1\/campaign\/(\w+)(?:\/(\w+))?$/.exec(url) ?? [];
		const number = this.world.campaigns.findIndex((campaign) => campaign.id === id);
		const campaign = this.world.campaigns[number];
		if (id !== undefined && !campaign) return refuse('Not Found.');
		const fault = (campaign ? reads[number] : list) ?? '';
		if (campaign) this.tried[what]?.add(campaign);
		if (fault) count(`${campaign ? what : 'list'}: ${fault}`);
		if (fault === 'brokenConnection')
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		const isLimited = what === 'surveyData' && (this.tried.surveyData?.size ?? 0) > limit;
		if (isLimited) count('limit reached');
		const response: IDataObject =
			FAILURES[isLimited ? 'tooMany' : fault] ??
			(campaign ? this.campaign(campaign, what, fault) : this.list(qs, fault));
		const hasDate = this.sendsDate && !lacksDate;
		if (lacksDate) count('no Date header');
		const isTold = hasDate && (response.body as IDataObject).success === true;
		this.hasDate ||= isTold;
		this.listHasDate ||= isTold && !campaign;
		const date = hasDate && { date: new Date(this.world.serviceNow).toUTCString() };
		return { ...response, headers: { ...(response.headers as IDataObject), ...date } };
	}

	private campaign(campaign: Campaign, what: string, fault: string): IDataObject {
		const { id, status, isHidden, isSurvey, isAnonymous } = campaign;
		const { length } = campaign.rows;
		if (isHidden) return id === 'c0' ? refuse('Not Found.') : refuse('Forbidden', 403);
		if (what === 'report') {
			if (fault === 'noReport') return refuse('Out of order', 500);
			this.reports.set(campaign, length + 1);
			return ok({ recipientsAmount: length + 1 });
		}
		if (what === 'status') {
			this.askedStatus.set(campaign, status);
			return ok({ name: id, status: fault === 'numberStatus' ? Number(status) : status });
		}
		if (fault === 'notASurvey' || !isSurvey) {
			this.denied.add(campaign);
			return refuse('Campaign is not a survey');
		}
		const anonymous = isAnonymous !== (fault === 'flip');
		const isShown = (row: Row) =>
			!row.isHidden && fault !== 'empty' && !(fault === 'partial' && row.id % 2 === 0);
		const rows = campaign.rows.filter(isShown);
		const copies = rows.map((row) => ({ ...row, hasId: row.hasId }));
		this.reads.set(campaign, { isAnonymous: anonymous, rows: copies });
		const read = this.world.reads++;
		return ok({ name: id, anonymous, result: rows.map((row) => row.shown(read, anonymous)) });
	}

	private list({ previousLastId, minLiveDate, category }: IDataObject, fault: string): IDataObject {
		if (fault === 'endless') {
			this.world.now += 30_000;
			const length = this.requests > 50 ? 0 : 1000;
			return ok(Array.from({ length }, (_, place) => ({ _id: `x${this.requests}x${place}` })));
		}
		// Asked again by the service's clock, the list counts as it is then.
		if (previousLastId !== undefined) return ok([]);
		this.listedStatus.clear();
		const from = typeof minLiveDate === 'string' ? Date.parse(minLiveDate) : -Infinity;
		const shown = this.world.campaigns.filter(
			({ isHidden, isUnlisted, liveAt = Infinity, category: own }, number) =>
				!(isHidden || isUnlisted || liveAt < from || fault === 'empty') &&
				(category === undefined || category === own) &&
				!(fault === 'partial' && number % 2 === 0),
		);
		this.listed = new Set(shown);
		const statuses: IDataObject = { noStatus: undefined, oddStatus: '7' };
		return ok(
			shown.map((campaign) => {
				const { id, status, liveAt } = campaign;
				if (!(fault in statuses)) this.listedStatus.set(campaign, status);
				const said = fault === 'numberStatus' ? Number(status) : status;
				return {
					...{ _id: id, name: id, status: fault in statuses ? statuses[fault] : said },
					liveDate: liveAt === undefined ? undefined : new Date(liveAt).toISOString(),
				};
			}),
		);
	}
}
