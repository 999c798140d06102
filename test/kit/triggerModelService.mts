import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	MINUTE,
	type Campaign,
	pick,
	type Row,
	type Status,
	type World,
} from './triggerModelWorld.mts';

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
export type Shown = Pick<Row, 'id' | 'stage' | 'date' | 'answer'> & { hasId: boolean };

/** A readable response with survey data. */
export type Read = { isAnonymous: boolean; rows: Shown[] };

/** What the service told the trigger in one poll. */
export class Exchange {
	requests = 0;
	dataRequests = 0;
	/** Whether a response, and the list, told the time of the service. */
	hasDate = false;
	listHasDate = false;
	/** The campaigns on the list; undefined if no list could be read. */
	listed?: Set<Campaign>;
	/** The status of each campaign, on the list and in the campaign's own record. */
	listedStatus = new Map<Campaign, Status>();
	askedStatus = new Map<Campaign, Status>();
	/** The campaigns whose survey data, status or report was requested, and the readable survey data. */
	tried = {
		surveyData: new Set<Campaign>(),
		status: new Set<Campaign>(),
		report: new Set<Campaign>(),
	};
	reads = new Map<Campaign, Read>();
	reports = new Map<Campaign, number>();
	denied = new Set<Campaign>();
}

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
const misreadings = [
	'notASurvey',
	'empty',
	'partial',
	'stale',
	'noDates',
	'flip',
	'noReport',
	'numberStatus',
];
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

/** The HTTP side of a world. */
export class Service {
	private readNumber = 0;

	constructor(
		private readonly world: World,
		private readonly sendsDate: boolean,
	) {}

	/** Returns the response to a request, and notes in `exchange` what it tells. @throws a broken connection */
	respond(
		{ url, qs = {} }: IHttpRequestOptions,
		{ list = '', reads = [], limit = Infinity, lacksDate = false }: Conditions,
		exchange: Exchange,
	): IDataObject {
		exchange.requests++;
		const [, id, what = 'status'] = /^\/int\/v1\/campaign\/(\w+)(?:\/(\w+))?$/.exec(url) ?? [];
		const number = this.world.campaigns.findIndex((campaign) => campaign.id === id);
		const campaign = this.world.campaigns[number];
		if (id !== undefined && !campaign) return refuse('Not Found.');
		const fault = (campaign ? reads[number] : list) ?? '';
		if (campaign) exchange.tried[what as keyof Exchange['tried']].add(campaign);
		const isLimited = what === 'surveyData' && ++exchange.dataRequests > limit;
		if (fault) count(`${campaign ? what : 'list'}: ${fault}`);
		if (isLimited) count('limit reached');
		if (lacksDate) count('no Date header');
		if (fault === 'brokenConnection')
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		const hasDate = this.sendsDate && !lacksDate;
		const response: IDataObject =
			(isLimited ? FAILURES.tooMany : FAILURES[fault]) ??
			(campaign
				? this.campaign(campaign, number, what, fault, exchange)
				: this.list(qs, fault, exchange));
		const isTold = hasDate && (response.body as IDataObject).success === true;
		exchange.hasDate ||= isTold;
		exchange.listHasDate ||= isTold && !campaign;
		const date = hasDate && { date: new Date(this.world.serviceNow).toUTCString() };
		return { ...response, headers: { ...(response.headers as IDataObject), ...date } };
	}

	private campaign(
		campaign: Campaign,
		number: number,
		what: string,
		fault: string,
		exchange: Exchange,
	): IDataObject {
		const { id, status, isHidden, rows } = campaign;
		if (isHidden) return number % 2 === 0 ? refuse('Not Found.') : refuse('Forbidden', 403);
		if (what === 'surveyData') return this.surveyData(campaign, fault, exchange);
		if (what === 'report') {
			if (fault === 'noReport') return refuse('Out of order', 500);
			exchange.reports.set(campaign, rows.length + 1);
			return ok({ recipientsAmount: rows.length + 1 });
		}
		exchange.askedStatus.set(campaign, status);
		return ok({ _id: id, name: id, status: fault === 'numberStatus' ? Number(status) : status });
	}

	private surveyData(campaign: Campaign, fault: string, exchange: Exchange): IDataObject {
		if (fault === 'notASurvey' || !campaign.isSurvey) {
			exchange.denied.add(campaign);
			return refuse('Campaign is not a survey');
		}
		const { now } = this.world;
		const { id: name, isAnonymous: isTrulyAnonymous } = campaign;
		const read = this.readNumber++;
		const anonymous = isTrulyAnonymous !== (fault === 'flip');
		const rows = campaign.rows.filter(
			(row) =>
				!row.isHidden &&
				fault !== 'empty' &&
				!(fault === 'partial' && row.id % 2 === 0) &&
				!(fault === 'stale' && row.at > now - 10 * MINUTE),
		);
		// Without an ID, a date that disappears and comes back makes two events: a limit.
		const lacksDate = ({ idKind }: Row) =>
			fault === 'noDates' && idKind !== 'none' && !isTrulyAnonymous;
		exchange.reads.set(campaign, {
			isAnonymous: anonymous,
			rows: rows.map((row) => ({
				...{ id: row.id, stage: row.stage, answer: row.answer, hasId: row.idKind !== 'none' },
				date: lacksDate(row) ? undefined : row.date,
			})),
		});
		const result = rows.map((row) => row.shown(read, anonymous, lacksDate(row)));
		return ok({ name, anonymous, questions: [], result });
	}

	private list(
		{ previousLastId, minLiveDate, category }: IDataObject,
		fault: string,
		exchange: Exchange,
	): IDataObject {
		if (fault === 'endless') {
			this.world.now += 30_000;
			const page = exchange.requests;
			return ok(
				page > 50 ? [] : Array.from({ length: 1000 }, (_, place) => ({ _id: `x${page}x${place}` })),
			);
		}
		// Asked again by the service's clock, the list counts as it is then.
		if (previousLastId !== undefined) return ok([]);
		exchange.listedStatus.clear();
		const from = typeof minLiveDate === 'string' ? Date.parse(minLiveDate) : -Infinity;
		const shown = this.world.campaigns.filter(
			(campaign, number) =>
				!campaign.isHidden &&
				!campaign.isUnlisted &&
				(campaign.liveAt ?? Infinity) >= from &&
				(category === undefined || category === campaign.category) &&
				fault !== 'empty' &&
				!(fault === 'partial' && number % 2 === 0),
		);
		exchange.listed = new Set(shown);
		return ok(
			shown.map((campaign) => {
				const { id, status, liveAt } = campaign;
				const isKnown = fault !== 'noStatus' && fault !== 'oddStatus';
				if (isKnown) exchange.listedStatus.set(campaign, status);
				return {
					...{ _id: id, name: id },
					...(fault !== 'noStatus' && {
						status:
							fault === 'oddStatus' ? '7' : fault === 'numberStatus' ? Number(status) : status,
					}),
					...(liveAt !== undefined && { liveDate: new Date(liveAt).toISOString() }),
				};
			}),
		);
	}
}
