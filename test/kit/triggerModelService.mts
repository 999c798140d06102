import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	QUESTIONS,
	rowAsShown,
	STAGE,
	type Campaign,
	type EventName,
	type Row,
	type Status,
	type World,
} from './triggerModelWorld.mts';

/** How the service responds to requests for one campaign, or for the list of campaigns, in one poll. */
export type ReadFault =
	| 'none'
	| 'error'
	| 'brokenConnection'
	| 'tooMany'
	| 'unauthorized'
	| 'forbidden'
	| 'brokenJson'
	| 'refusal'
	| 'noResult'
	| 'notASurvey'
	| 'empty'
	| 'partial'
	| 'stale'
	| 'noDates'
	| 'flip'
	| 'noReport';
export type ListFault = ReadFault | 'noStatus' | 'oddStatus' | 'numberStatus' | 'endless';

/** What the service does in one poll. */
export type Conditions = {
	list: ListFault;
	/** One fault per campaign. */
	reads: ReadFault[];
	/** How many reads of survey data the service allows. */
	limit?: number;
	/** Whether responses lack the Date header. */
	lacksDate?: boolean;
	/** What happens during the poll, and at which of its requests. */
	during?: { what: 'overlap' | 'hang' | 'republish' | 'kill'; request: number };
};

export const CALM: Conditions = { list: 'none', reads: [] };

/** A row as one response showed it. */
export type Shown = {
	row: Row;
	stage: number;
	date?: number;
	hasId: boolean;
	answers: Row['answers'];
};

/** A readable response with survey data. */
export type Read = { isAnonymous: boolean; rows: Shown[]; questions: number; readAt: number };

/** What the service told the trigger in one poll. */
export class Exchange {
	requests = 0;
	reads = new Map<Campaign, Read>();
	/** The status of each campaign, as the list or the campaign's own record showed it. */
	statuses = new Map<Campaign, Status | undefined>();
	/** The campaigns on the list; undefined if no list could be read. */
	listed: Set<Campaign> | undefined;
	denied = new Set<Campaign>();
	dataRequests = 0;
	isListWhole = true;
	hasDate = false;
	reports = new Map<Campaign, number>();
}

/** What the trigger was told to do in a poll. */
export type Wanted = {
	events: Array<EventName | 'surveyClosed'>;
	/** The IDs of the selected campaigns, or the category of the watched ones. */
	selected?: string[];
	category?: string;
	emitExisting: boolean;
};

/** One poll whose result n8n kept. */
export type Poll = {
	how: 'poll' | 'activate' | 'update' | 'init';
	isThrown: boolean;
	now: number;
	/** The time by the service's clock and by n8n's clock. */
	serviceNow: number;
	ownNow: number;
	wanted: Wanted;
	exchange: Exchange;
	items: IDataObject[];
};

/** How often each fault occurred in this process. */
export const occurrences = new Map<string, number>();

export function count(what: string): void {
	occurrences.set(what, (occurrences.get(what) ?? 0) + 1);
}

/** The HTTP side of a world. */
export class Service {
	private readNumber = 0;

	constructor(
		private readonly world: World,
		private readonly setting: { sendsDate: boolean; countsFrom: 0 | 1; firstRequired: boolean },
	) {}

	/** Returns the response to a request, and notes in `exchange` what it tells. @throws a broken connection */
	respond(
		{ url, qs = {} }: IHttpRequestOptions,
		conditions: Conditions,
		exchange: Exchange,
	): IDataObject {
		exchange.requests++;
		const hasDate = this.setting.sendsDate && conditions.lacksDate !== true;
		exchange.hasDate ||= hasDate;
		if (this.setting.sendsDate && !hasDate) count('no Date header');
		const response = this.responseTo(url.replace('/int/v1/', ''), qs, conditions, exchange);
		const headers = { ...(response.headers as IDataObject) };
		if (hasDate) headers.date = new Date(this.world.serviceNow).toUTCString();
		return { ...response, headers };
	}

	private responseTo(
		path: string,
		qs: IDataObject,
		conditions: Conditions,
		exchange: Exchange,
	): IDataObject {
		if (path === 'me') return ok({ _id: 'me' });
		if (path === 'campaign') return this.list(qs, conditions.list, exchange);
		const [, id, what = ''] = /^campaign\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
		const number = this.world.campaigns.findIndex((campaign) => campaign.id === id);
		const campaign = this.world.campaigns[number];
		if (!campaign) return refusal('Not Found.');
		if (campaign.isHidden) return number % 2 === 0 ? refusal('Not Found.') : status(403);
		const fault = conditions.reads[number] ?? 'none';
		if (what === 'surveyData') {
			exchange.dataRequests++;
			if (exchange.dataRequests > (conditions.limit ?? Infinity)) {
				count('read: limit reached');
				return status(429);
			}
			return this.surveyData(campaign, fault, exchange);
		}
		const failed = failure(fault, what === '' ? 'status' : 'report');
		if (failed) return failed;
		if (what === 'report') {
			if (fault === 'noReport') return counted('report: noReport', status(500));
			exchange.reports.set(campaign, campaign.rows.length + 1);
			return ok({ recipientsAmount: campaign.rows.length + 1 });
		}
		exchange.statuses.set(campaign, campaign.status);
		return ok({ _id: campaign.id, name: campaign.id, status: campaign.status });
	}

	private surveyData(campaign: Campaign, fault: ReadFault, exchange: Exchange): IDataObject {
		const failed = failure(fault, 'read');
		if (failed) return failed;
		if (fault === 'notASurvey' || !campaign.isSurvey) {
			exchange.denied.add(campaign);
			return counted('read: not a survey', refusal('Campaign is not a survey'));
		}
		if (!['none', 'noReport'].includes(fault)) count(`read: ${fault}`);
		const read = this.readNumber++;
		const isAnonymous = campaign.isAnonymous !== (fault === 'flip');
		const rows = campaign.rows.filter(
			(row) =>
				!row.isHidden &&
				fault !== 'empty' &&
				!(fault === 'partial' && row.id % 2 === 0) &&
				!(fault === 'stale' && row.arrivedAt > this.world.now - 600_000),
		);
		// Without an ID, a date that disappears and comes back makes two events: a documented limit.
		const lacksDates = fault === 'noDates' && !isAnonymous && !campaign.isAnonymous;
		const { countsFrom, firstRequired } = this.setting;
		exchange.reads.set(campaign, {
			isAnonymous,
			questions: campaign.questions,
			readAt: this.world.now,
			rows: rows.map((row) => ({
				row,
				stage: row.stage,
				date: lacksDates && row.hasId ? undefined : row.date,
				hasId: row.hasId && !isAnonymous,
				answers: [...row.answers],
			})),
		});
		return ok({
			name: campaign.id,
			anonymous: isAnonymous,
			questions: QUESTIONS.slice(0, campaign.questions).map(({ title }) => ({
				title,
				required: firstRequired,
			})),
			result:
				rows.length === 0 && read % 2 === 0
					? undefined
					: rows.map((row) => rowAsShown(row, { isAnonymous, read, countsFrom, lacksDates })),
		});
	}

	private list(qs: IDataObject, fault: ListFault, exchange: Exchange): IDataObject {
		const failed = failure(fault, 'list');
		if (failed) return failed;
		if (fault !== 'none' && !['notASurvey', 'noDates', 'flip', 'noReport'].includes(fault))
			count(`list: ${fault}`);
		const page = Number(/^page (\d+)$/.exec(String(qs.previousLastId))?.[1] ?? 0);
		if (fault === 'endless') {
			exchange.isListWhole = false;
			this.world.now += 30_000;
			if (exchange.requests > 500) throw new Error('The list is read without end');
			return ok(
				Array.from({ length: 1000 }, (_, place) => ({
					_id: place < 999 ? `x${page}x${place}` : `page ${page + 1}`,
				})),
			);
		}
		// Asked again by the service's clock, the list counts as it is then.
		if (qs.previousLastId === undefined) exchange.listed = new Set();
		if (qs.previousLastId !== undefined || fault === 'empty') return ok([]);
		const from = typeof qs.minLiveDate === 'string' ? Date.parse(qs.minLiveDate) : -Infinity;
		const shown = this.world.campaigns.filter(
			(campaign, number) =>
				!campaign.isHidden &&
				!campaign.isUnlisted &&
				(campaign.liveAt ?? Infinity) >= from &&
				(qs.category === undefined || qs.category === campaign.category) &&
				!(fault === 'partial' && number % 2 === 0),
		);
		const records = shown.map((campaign) => {
			const { id, status: code, liveAt } = campaign;
			exchange.listed?.add(campaign);
			const isUnknown = fault === 'noStatus' || fault === 'oddStatus';
			if (!exchange.statuses.get(campaign))
				exchange.statuses.set(campaign, isUnknown ? undefined : code);
			const record: IDataObject = { _id: id, name: id };
			if (fault !== 'noStatus')
				record.status =
					fault === 'oddStatus' ? '7' : fault === 'numberStatus' ? Number(code) : code;
			if (liveAt !== undefined) record.liveDate = new Date(liveAt).toISOString();
			return record;
		});
		return ok(records);
	}
}

/** Returns the response of a fault that can happen to any request. */
function failure(fault: ListFault, where: string): IDataObject | undefined {
	const failed: Partial<Record<ListFault, IDataObject>> = {
		error: status(500),
		tooMany: status(429),
		unauthorized: status(401),
		forbidden: status(403),
		brokenJson: { statusCode: 200, headers: {}, body: '<html>' },
		refusal: refusal('Illegal parameters'),
		noResult: { statusCode: 200, headers: {}, body: { success: true, data: 'none' } },
	};
	if (fault === 'brokenConnection') {
		count(`${where}: ${fault}`);
		throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	}
	const response = failed[fault];
	return response && counted(`${where}: ${fault}`, response);
}

function counted(what: string, response: IDataObject): IDataObject {
	count(what);
	return response;
}

/** A refusal that asks for a longer wait than the trigger accepts, so that the trigger does not retry within the poll. */
function status(statusCode: number): IDataObject {
	return {
		statusCode,
		headers: { 'retry-after': '3600' },
		body: { success: false, message: 'Out of order' },
	};
}

function ok(data: IDataObject | IDataObject[]): IDataObject {
	return { statusCode: 200, headers: {}, body: { success: true, data } };
}

function refusal(message: string): IDataObject {
	return { statusCode: 200, headers: {}, body: { success: false, message } };
}

/** Whether a row that was shown has an event. */
export function has({ stage }: Shown, event: keyof typeof STAGE): boolean {
	return stage >= STAGE[event];
}
