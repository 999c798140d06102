import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { TriggerHost, type Scheduling } from './poll.mts';
import {
	QUESTIONS,
	rawAnswers,
	wrongAnswers,
	type Answers,
	type Output,
	type Proof,
} from './triggerAnswers.mts';
import { ExpectedClosings } from './triggerClosings.mts';

/** The events in the order of a row's life. */
export const events = ['campaignRead', 'campaignResponded', 'surveySubmitted'] as const;
/** A scheduled poll, or the first poll after publishing (`activate`), publishing again (`update`) or a restart (`init`). */
type How = 'poll' | 'activate' | 'update' | 'init';

type EventName = (typeof events)[number];

/** How the service responds to requests for one campaign in one poll. */
export type Fault = 'none' | 'error' | 'webPage' | 'forbidden' | 'notASurvey' | 'empty';

/** How the service behaves during one poll. */
export type Conditions = {
	/** One fault per campaign. */
	faults: Fault[];
	list: 'ok' | 'fails' | 'empty';
	/** How many reads of survey data the service allows in a poll. */
	limit?: number;
	/** The most campaigns that the trigger may read in a poll. */
	mostReads?: number;
};

export type RowAction = {
	do: 'advance' | 'edit' | 'redate' | 'hide' | 'unread' | 'remove' | 'loseId' | 'gainId';
	which: number;
	/** Restricts `which` to the rows of this campaign. */
	campaign?: number;
};

export type CampaignAction = {
	do: 'close' | 'reopen' | 'vanish' | 'anonymous' | 'addQuestion' | 'removeQuestion';
	campaign: number;
};

export type Action =
	| RowAction
	| CampaignAction
	| { do: 'arrive'; campaign: number; stage: number; late?: boolean; skips?: boolean }
	| { do: 'arriveMany'; campaign: number; count: number }
	| { do: 'poll'; conditions: Conditions }
	| { do: 'kill' | 'republish' }
	| { do: 'wait'; minutes: number }
	| { do: 'select'; campaigns: number[] }
	| { do: 'events'; events: EventName[] }
	| { do: 'goLive' | 'swapAccount' | 'fetchTestEvent' }
	/** Sets n8n's or the service's clock wrong by `days`, or corrects a clock that is wrong. */
	| { do: 'clock' | 'serviceClock'; days?: number };

export type Setting = {
	watch: 'selected' | 'all';
	scheduling: Scheduling;
	events: EventName[];
	/** For each campaign that exists when the scenario starts, whether it is anonymous. */
	anonymous: boolean[];
	maxReadGapMinutes: number;
	/** Whether Survey Closed is also selected. */
	surveyClosed?: boolean;
	/** A selected campaign that is too old for the list of campaigns. */
	unlisted?: number;
	/** Whether the service sends a Date header. */
	sendsDate?: boolean;
	output?: Output;
	emitExisting?: boolean;
	/** The number in the answer key `q.<n>` of the first question. */
	countsFrom?: 0 | 1;
	/** Whether the first question of each survey is required. */
	firstRequired?: boolean;
	/** The service identifies respondents by email address, without user IDs. */
	byEmail?: boolean;
	/** How many reads of survey data the service allows in each of the final polls. */
	lastLimit?: number;
};

/** The stages of a row: opened, one answer, two answers, submitted. */
const OPENED = 0;
const RESPONDED = 1;
const SUBMITTED = 3;
const STAGE_OF: Record<EventName, number> = {
	campaignRead: OPENED,
	campaignResponded: RESPONDED,
	surveySubmitted: SUBMITTED,
};

class Row {
	user?: string;
	email?: string;
	stage = -1;
	answers: Answers = [];
	date?: number;
	/** The date that the service last showed. */
	shownDate?: number;
	/** When each stage was reached, by a correct clock. */
	at: number[] = [];
	hidden = false;
	unread = false;
	removed = false;
	/** The events that the service has shown. */
	shown = new Set<EventName>();
	/** When the row was last edited, and when it last got a user ID. */
	editedAt?: number;
	identifiedAt?: number;
	wasRedated = false;
	/** Whether the trigger may either emit or skip the events of this row. */
	unsure = false;
	/** For a reopened survey: events that must be emitted again (`sure`), and how often each may be repeated (`most`). */
	again: { sure: EventName[]; most: number; in?: number; isPending: boolean } = {
		sure: [],
		most: 0,
		isPending: false,
	};

	/**
	 * @param skips whether the row leaves out the first question
	 * @param hasOtherDate whether the service shows a date other than the time of submission
	 */
	constructor(
		readonly id: number,
		readonly skips: boolean,
		public hasOtherDate: boolean,
	) {}

	/** Whether the service shows this event for the row. */
	has(event: EventName): boolean {
		return this.stage >= STAGE_OF[event] && !(event === 'campaignRead' && this.unread);
	}
}

/**
 * A period in which an event of a campaign is watched. An event after the time `sure` must be emitted. An earlier one may
 * be missed if its date is not known or a clock was wrong.
 */
type Span = { since: number; opened: number; sure?: number; end?: number };

class Campaign {
	rows: Row[] = [];
	status: '1' | '3' = '1';
	questions = 3;
	/** The submitted rows in the last read after closing, and the time of that read. */
	drained = new Set<Row>();
	drainedAt = -Infinity;
	vanished = false;
	wasReopened = false;
	reopenedAt = -Infinity;
	/** The status with which the list last showed the campaign. */
	listedAs: '1' | '3' = '1';
	/** Before the first read, the service responded that the campaign is not a survey. */
	wasDenied = false;
	/** Some rows can no longer be told apart, for example because they lost their IDs, so events can only be counted. */
	isOnlyCounted = false;
	readUnsureUntil = -Infinity;
	/** When the service last showed the rows of the campaign. */
	readAt = -Infinity;
	spans = new Map<EventName, Span[]>();
	unsure = new Map<EventName, Array<[from: number, to: number]>>();
	readonly closings = new ExpectedClosings();
	/** An earlier poll found the campaign in the list or received its status. Recorded only if Survey Closed is selected. */
	wasSeen = false;
	/** When n8n first saw the campaign in the list. Infinity if it has not, or if n8n was killed before saving the state. */
	knownSince = Infinity;
	/** A request for the campaign itself showed that it is closed. */
	wasFoundClosed = false;

	constructor(
		readonly id: string,
		readonly live: number,
		public anonymous: boolean,
	) {}

	/** Whether the trigger has watched this campaign for any event, or n8n has seen the campaign in the list. */
	isKnown(): boolean {
		return [...this.spans.values()].flat().length > 0 || this.knownSince < Infinity;
	}

	openSpan(event: EventName): Span | undefined {
		return this.spans.get(event)?.find(({ end }) => end === undefined);
	}

	addUnsure(event: EventName, from: number, to: number): void {
		this.unsure.set(event, [...(this.unsure.get(event) ?? []), [from, to]]);
	}
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-01-31T09:00:00.000Z');
/** The most items of a poll, and how long a campaign may be missing from the list after it goes live (docs/trigger.md). */
const MOST_ITEMS = 10_000;
const LIST_LAG = { serviceTime: 5 * MINUTE, ownTime: DAY };

/**
 * Simulates a service, n8n and the trigger with a simulated clock. For each event of each row, the oracle decides whether
 * the trigger must, may or must not emit the event. The oracle does not know how the trigger works.
 */
export class TriggerSimulation {
	readonly host: TriggerHost;
	/** Violations other than missing or surplus events. */
	readonly faults: string[] = [];
	private readonly campaigns: Campaign[] = [];
	private rowCount = 0;
	private now = START;
	private clock = 0;
	private clockWasAhead = false;
	/** How wrong the service's clock is, and when this clock last jumped. */
	private serviceClock = 0;
	private serviceJumpedAt = -Infinity;
	/**
	 * When the list was last read successfully: by the trigger's clock (`at`) and by a correct clock (`read`). `saved` is the
	 * `at` that n8n last saved.
	 */
	private lastList = { at: -Infinity, saved: -Infinity, read: -Infinity };
	/**
	 * `provedAt` is the time when rows proved whether answer keys count from 0 or 1. It is Infinity before that, and after a
	 * kill of n8n that lost the proof. `wasProved` tells whether rows ever proved it.
	 */
	private provedAt = Infinity;
	private wasProved = false;
	private skippers = 0;
	/** Whether the last poll (`isFull`) or any poll so far (`wasFull`) reached the limit of items, so more may follow. */
	private isFull = false;
	private wasFull = false;
	private isOn = false;
	private selected: number[];
	private lastSaved = START;
	private activatedAt = START;
	private conditions: Conditions = { faults: [], list: 'ok' };
	private readsLeft = Infinity;
	private listWorked = false;
	/** The rows shown in this poll, by campaign. */
	private shown = new Map<Campaign, Row[]>();
	/** The campaigns whose status this poll read from the list. */
	private listed = new Set<Campaign>();
	/** The campaigns whose status this poll requested individually. */
	private asked = new Set<Campaign>();

	constructor(
		private readonly setting: Setting,
		workflowId: string,
	) {
		for (const [number, anonymous] of setting.anonymous.entries()) {
			const age = number === 2 ? 87 : 10;
			this.campaigns.push(new Campaign(`c${number}`, START - age * DAY, anonymous));
		}
		this.selected = this.campaigns.map((_, number) => number);
		this.host = new TriggerHost({
			credential: { authentication: 'accessKey' },
			parameters: {
				output: setting.output ?? 'raw',
				watch: setting.watch,
				options: {
					maxReadGapMinutes: setting.maxReadGapMinutes,
					emitExisting: setting.emitExisting ?? false,
				},
			},
			scheduling: setting.scheduling,
			workflowId,
			respond: (request) => {
				const response = this.respond(request);
				const date = new Date(this.serviceNow()).toUTCString();
				return setting.sendsDate
					? { ...response, headers: { ...headersOf(response), date } }
					: response;
			},
		});
		this.wantEvents(setting.events);
	}

	private wantEvents(wanted: EventName[]): void {
		const all = this.setting.surveyClosed ? [...wanted, 'surveyClosed'] : wanted;
		if (all.length > 0) this.host.options.parameters.events = all;
	}

	async act(action: Action): Promise<void> {
		this.now += 1000;
		switch (action.do) {
			case 'arrive':
				return this.arrive(this.campaignAt(action.campaign), action);
			case 'poll':
				return await this.poll('poll', action.conditions);
			case 'kill':
				return await this.kill();
			case 'republish':
				return await this.restart('update');
			case 'wait':
				this.now += action.minutes * MINUTE;
				return;
			case 'select':
				if (this.setting.emitExisting) return;
				this.selected = action.campaigns.length > 0 ? action.campaigns : [0];
				return;
			case 'events':
				// With Emit Existing, the trigger would emit a newly selected event for all existing rows.
				if (this.setting.emitExisting) return;
				this.wantEvents(action.events);
				return;
			case 'goLive':
				if (this.campaigns.length < 5)
					this.campaigns.push(new Campaign(`c${this.campaigns.length}`, this.serviceNow(), false));
				return;
			case 'fetchTestEvent':
				return await this.fetchTestEvent();
			case 'serviceClock':
				// Without a Date header, the trigger cannot tell which clock is wrong.
				if (!this.setting.sendsDate) return;
				this.serviceClock = this.serviceClock === 0 ? (action.days ?? 4) * DAY : 0;
				this.serviceJumpedAt = this.now;
				return;
			case 'clock':
				if (!this.isOn) return;
				// Without a Date header, an edited anonymous answer looks new if n8n's clock is behind (documented).
				if (!this.setting.sendsDate && (action.days ?? 4) < 0) return;
				this.clock = this.clock === 0 ? (action.days ?? 4) * DAY : 0;
				this.clockWasAhead ||= !this.setting.sendsDate;
				return;
			case 'swapAccount':
				for (const campaign of this.campaigns) this.change(campaign, 'vanish');
				return;
			case 'arriveMany':
				for (let number = 0; number < action.count; number++)
					this.arrive(this.campaignAt(action.campaign), { stage: SUBMITTED });
				return;
			default:
				if ('which' in action) return this.changeRow(action);
				return this.change(this.campaignAt(action.campaign), action.do);
		}
	}

	/** Publishes the workflow. */
	async switchOn(conditions: Conditions): Promise<void> {
		this.now += 1000;
		for (let tries = 0; !this.isOn; tries++) {
			await this.poll('activate', tries < 3 ? conditions : { faults: [], list: 'ok' });
		}
	}

	/** Ends all faults, then polls until no event can be outstanding. */
	async end(): Promise<void> {
		this.clock = 0;
		if (this.serviceClock !== 0) await this.act({ do: 'serviceClock' });
		for (const campaign of this.campaigns) {
			campaign.vanished = false;
			for (const row of campaign.rows) Object.assign(row, { hidden: false, unread: false });
		}
		const { lastLimit: limit } = this.setting;
		for (let polls = 0; polls < (limit === undefined ? 3 : 20); polls++) {
			this.now += 7 * MINUTE;
			await this.poll('poll', { faults: [], list: 'ok', limit });
		}
	}

	/** Returns all violations, including differences between the emitted and the expected events. */
	violations(): string[] {
		const given = new Map<string, number>();
		for (const item of this.host.items) {
			const key = [item.campaignId, item.event, rowOf(item)].map(String).join(' ');
			given.set(key, (given.get(key) ?? 0) + 1);
		}
		const wrong = [...this.faults];
		for (const campaign of this.campaigns) {
			const closings = given.get(`${campaign.id} surveyClosed NaN`) ?? 0;
			const unmet = campaign.closings.violation(closings);
			if (unmet && !campaign.wasDenied) wrong.push(`${campaign.id} ${unmet}`);
			for (const event of events) {
				let [least, most, sum] = [0, 0, 0];
				for (const row of campaign.rows) {
					const count = given.get(`${campaign.id} ${event} ${row.id}`) ?? 0;
					const owed = this.owed(campaign, row, event);
					const { sure, most: again } = row.again;
					const fewest = (owed === 'once' ? 1 : 0) + sure.filter((one) => one === event).length;
					const highest = (owed === 'never' ? 0 : 1) + again;
					sum += count;
					least += fewest;
					most += highest;
					const isCounted = campaign.anonymous || campaign.isOnlyCounted;
					if (isCounted || (fewest <= count && count <= highest)) continue;
					// A reopened campaign gets a new baseline for campaignRead, so the trigger may emit this event again.
					if (count > 1 && campaign.wasReopened && event === 'campaignRead') continue;
					wrong.push(`${campaign.id} ${event} row ${row.id}: owed ${owed}, emitted ${count} times`);
				}
				const isLoose = campaign.wasReopened && event === 'campaignRead';
				if (sum < least || (sum > most && !isLoose))
					wrong.push(`${campaign.id} ${event}: owed ${least} to ${most}, emitted ${sum}`);
			}
		}
		return wrong;
	}

	private owed(campaign: Campaign, row: Row, event: EventName): 'once' | 'never' | 'unsure' {
		const at = row.at[STAGE_OF[event]];
		if (row.stage < STAGE_OF[event] || at === undefined) return 'never';
		const isSubmission = event === 'surveySubmitted';
		const lacksDate = !isSubmission || row.hasOtherDate;
		if (row.unsure || campaign.wasDenied) return 'unsure';
		if (campaign.unsure.get(event)?.some(([from, to]) => from <= at && at <= to)) return 'unsure';
		if (event === 'campaignRead' && at <= campaign.readUnsureUntil) return 'unsure';
		if (campaign.wasReopened && row.hasOtherDate) return 'unsure';
		if (lacksDate && campaign.isOnlyCounted) return 'unsure';
		const isServiceWrong = this.serviceJumpedAt > -Infinity;
		if (isServiceWrong && (campaign.isOnlyCounted || campaign.wasReopened)) return 'unsure';
		for (const { since, sure = Infinity, end = Infinity } of campaign.spans.get(event) ?? []) {
			if (at > end) continue;
			const isLateBaseline = sure > since;
			if (at <= since) {
				// The event happened before the baseline was due, but its row may show a later date and then look new.
				if (isLateBaseline && (lacksDate || isServiceWrong) && at <= sure) return 'unsure';
				continue;
			}
			if (at > sure) return 'once';
			return lacksDate || this.clockWasAhead || isServiceWrong ? 'unsure' : 'once';
		}
		return 'never';
	}

	private campaignAt(number: number): Campaign {
		const campaign = this.campaigns[number % this.campaigns.length];
		if (!campaign) throw new Error('There is no campaign');
		return campaign;
	}

	private serviceNow(): number {
		return this.now + this.serviceClock;
	}

	private arrive(
		campaign: Campaign,
		{ stage, late = false, skips = false }: { stage: number; late?: boolean; skips?: boolean },
	): void {
		if (campaign.status !== '1') return;
		// If twenty rows left out the first question, the trigger would assume the wrong numbering (a documented limit).
		const maySkip = skips && this.setting.firstRequired !== true && this.skippers++ < 15;
		const row = new Row(this.rowCount++, maySkip, late && stage === SUBMITTED);
		if (this.setting.byEmail) row.email = `${row.id}@example.com`;
		else row.user = `user ${row.id}`;
		campaign.rows.push(row);
		while (row.stage < stage) this.advance(row);
	}

	private advance(row: Row): void {
		row.stage++;
		row.at[row.stage] = this.now;
		if (row.stage === RESPONDED || row.stage === 2)
			row.answers[row.stage - (row.skips ? 0 : 1)] = (row.id * 7 + row.stage) % 4;
		if (row.stage === SUBMITTED) row.date = row.hasOtherDate ? START - 50 * DAY : this.serviceNow();
	}

	private change(campaign: Campaign, what: string): void {
		switch (what) {
			case 'addQuestion':
				campaign.questions = Math.min(campaign.questions + 1, QUESTIONS.length);
				return;
			case 'removeQuestion':
				campaign.questions = Math.max(campaign.questions - 1, 1);
				return;
			case 'close':
				// The trigger does not notice that a campaign was reopened and closed again between two reads of the list.
				if (campaign.status === '1' && campaign.listedAs === '3')
					for (const event of events) campaign.addUnsure(event, campaign.reopenedAt, this.now);
				campaign.status = '3';
				return;
			case 'reopen':
				if (campaign.status === '1') return;
				campaign.status = '1';
				campaign.wasFoundClosed = false;
				campaign.wasReopened = true;
				campaign.reopenedAt = this.now;
				campaign.readUnsureUntil = Infinity;
				return;
			case 'vanish':
				if (this.setting.watch === 'all') campaign.vanished = !campaign.vanished;
				return;
			case 'anonymous':
				if (
					campaign.rows.some(
						({ editedAt, wasRedated }) => wasRedated || this.isUnsettled(campaign, editedAt),
					)
				)
					return;
				for (const row of campaign.rows) row.identifiedAt = this.now;
				campaign.anonymous = !campaign.anonymous;
				campaign.isOnlyCounted = true;
		}
	}

	private changeRow({ do: what, which, campaign: only }: RowAction): void {
		const among = only === undefined ? this.campaigns : [this.campaignAt(only)];
		const all = among.flatMap((campaign) => campaign.rows.map((row) => ({ campaign, row })));
		const found = all[which % all.length];
		if (!found || found.row.removed || found.campaign.status !== '1') return;
		const { campaign, row } = found;
		const hasNoUserId = campaign.anonymous || row.user === undefined;
		switch (what) {
			case 'advance':
				if (row.stage < SUBMITTED) this.advance(row);
				return;
			case 'edit':
				if (row.stage < SUBMITTED || this.isUnsettled(campaign, row.identifiedAt)) return;
				row.editedAt = this.now;
				row.answers[1] = (row.answers[1] ?? 0) + 10;
				if (hasNoUserId) campaign.isOnlyCounted = true;
				return;
			case 'redate':
				if (row.stage < SUBMITTED || hasNoUserId) return;
				if (this.isUnsettled(campaign, row.identifiedAt)) return;
				row.editedAt = this.now;
				row.wasRedated = true;
				row.date = this.serviceNow();
				if (!campaign.wasReopened) {
					row.hasOtherDate = true;
				} else if (row.again.in !== campaign.reopenedAt) {
					row.again.most++;
					row.again.in = campaign.reopenedAt;
					row.again.isPending = campaign.drained.has(row);
				}
				return;
			case 'hide':
				// Rows with neither a user ID nor a date cannot be told apart once they have been hidden.
				if (!hasNoUserId || row.stage === SUBMITTED) row.hidden = !row.hidden;
				return;
			case 'unread':
				if (!hasNoUserId && this.isOn) row.unread = !row.unread;
				return;
			case 'loseId':
				if (row.user === undefined || row.unread) return;
				// A row that loses its ID after its date has changed looks like a new submission (a documented limit).
				if (row.wasRedated || (row.shownDate !== undefined && row.shownDate !== row.date)) return;
				delete row.user;
				campaign.isOnlyCounted = true;
				return;
			case 'gainId':
				if (campaign.anonymous || this.setting.byEmail) return;
				if (this.isUnsettled(campaign, row.editedAt)) return;
				row.identifiedAt = this.now;
				row.user = `user ${row.id}`;
				return;
			case 'remove':
				if (row.stage < SUBMITTED) return;
				row.removed = true;
				row.unsure = true;
				campaign.isOnlyCounted = true;
		}
	}

	/**
	 * Whether a change at the time `at` may still be unread or unsaved. A row that gets an ID and is edited between two
	 * saved reads looks new (a documented limit).
	 */
	private isUnsettled({ readAt }: Campaign, at = -Infinity): boolean {
		return at > Math.min(this.lastSaved, readAt);
	}

	private async kill(): Promise<void> {
		for (const campaign of this.campaigns) {
			campaign.closings.kill(this.lastSaved);
			if (campaign.drainedAt > this.lastSaved) campaign.drained.clear();
			if (campaign.knownSince > this.lastSaved) campaign.knownSince = Infinity;
			campaign.wasFoundClosed = false;
			if (campaign.wasReopened) campaign.readUnsureUntil = Infinity;
			for (const event of events) {
				const spans = campaign.spans.get(event) ?? [];
				for (const span of spans) {
					const isUnsaved = span.opened > this.lastSaved || (span.end ?? 0) > this.lastSaved;
					// If the start or end of a span is unsaved, the trigger may or may not emit the events since the last save.
					if (isUnsaved)
						campaign.addUnsure(event, this.lastSaved, span.end ?? span.sure ?? this.now);
					// A baseline that n8n has not saved is taken again.
					if (span.end === undefined && (isUnsaved || (span.sure ?? 0) > this.lastSaved))
						if (span.since > -Infinity) span.sure = undefined;
				}
				// If all campaigns are watched, an unsaved campaign is lost until it is listed again.
				if (this.setting.watch === 'all') {
					const saved = spans.filter(({ opened }) => opened <= this.lastSaved);
					campaign.spans.set(event, saved);
				}
			}
		}
		this.lastList.at = this.lastList.saved;
		if (this.provedAt > this.lastSaved) this.provedAt = Infinity;
		await this.restart('init');
	}

	private async restart(how: 'init' | 'update'): Promise<void> {
		this.host.kill();
		this.isOn = false;
		for (let tries = 0; !this.isOn && tries < 3; tries++)
			await this.poll(how, { faults: [], list: 'ok' });
	}

	private async poll(how: How, conditions: Conditions): Promise<void> {
		this.now += 1000;
		this.conditions = conditions;
		this.readsLeft = conditions.limit ?? Infinity;
		this.listWorked = false;
		this.shown = new Map();
		this.listed = new Set();
		this.asked = new Set();
		const { parameters } = this.host.options;
		parameters.campaignIds = this.selected.map((number) => `c${number}`);
		const before = JSON.stringify(this.host.database);
		const { length: executed } = this.host.executions;
		let isThrown = false;
		try {
			await this.withClock(async () => {
				await (how === 'poll' ? this.host.poll() : this.host.activate(how));
			});
			this.isOn = true;
		} catch (error) {
			isThrown = true;
			// If a poll fails because a selected campaign is not a survey, the trigger forgets the rows that this poll read,
			// but not which unlisted campaigns it found closed.
			if (/ (is|are) not (a survey|surveys)$/.test(String(error))) {
				this.asked = new Set([...this.asked].filter((campaign) => this.shown.has(campaign)));
				this.shown.clear();
			}
			const isCalm =
				conditions.list === 'ok' &&
				conditions.limit === undefined &&
				conditions.faults.every((fault) => fault === 'none' || fault === 'empty');
			if (isCalm) this.faults.push(`A poll without faults fails: ${String(error)}`);
		}
		if (this.shown.size > (conditions.mostReads ?? Infinity))
			this.faults.push(`A poll reads ${this.shown.size} campaigns`);
		// A failed activation changes nothing.
		if (how === 'activate' && isThrown) return;
		if (how === 'activate') this.activatedAt = this.now;
		const items = this.host.executions.slice(executed).flat();
		this.isFull = items.length >= MOST_ITEMS - 1;
		this.wasFull ||= this.isFull;
		if (items.length > MOST_ITEMS) this.faults.push(`A poll emits ${items.length} items`);
		this.accountNumbering(items);
		this.account(how);
		this.accountClosings(how, isThrown);
		for (const campaign of this.listed) campaign.listedAs = campaign.status;
		// An empty list may be a mistake of the service, unless no campaign is known.
		const isNothingKnown = this.campaigns.every((campaign) => !campaign.isKnown());
		if (this.listed.size > 0 || (isNothingKnown && conditions.list !== 'fails')) {
			const at = this.setting.sendsDate ? this.serviceNow() : this.now + this.clock;
			this.lastList = { ...this.lastList, at, read: this.now };
		}
		if (JSON.stringify(this.host.database) === before) return;
		this.lastSaved = this.now;
		this.lastList.saved = this.lastList.at;
	}

	/** Runs work under n8n's clock. */
	private async withClock(work: () => Promise<void>): Promise<void> {
		const realNow = Date.now;
		Date.now = () => this.now + this.clock;
		try {
			await work();
		} finally {
			Date.now = realNow;
		}
	}

	/** Records whether the shown rows prove where the answer keys start, and checks the items' answers. */
	private accountNumbering(items: IDataObject[]): void {
		const isProved = this.isNumberingShown();
		if (isProved) this.provedAt = Math.min(this.provedAt, this.now);
		this.wasProved ||= isProved;
		this.checkAnswers(items, this.provedAt < Infinity);
	}

	/** Whether the shown rows prove where the answer keys start, by the rule of docs/conventions.md, Trigger. */
	private isNumberingShown(): boolean {
		const { countsFrom = 0, firstRequired = false } = this.setting;
		return [...this.shown.values()].some((rows) => {
			const hasFirst = rows.filter(({ answers }) => answers[0] !== undefined);
			if (countsFrom === 0 && hasFirst.length > 0) return true;
			const submitted = rows.filter(
				({ stage, answers }) =>
					stage >= SUBMITTED && answers.some((answer) => answer !== undefined),
			);
			return submitted.length >= (firstRequired ? 2 : 20);
		});
	}

	private checkAnswers(items: IDataObject[], isProved: boolean): void {
		const { output = 'raw', countsFrom = 0 } = this.setting;
		const proof: Proof = isProved ? 'proved' : this.wasProved ? 'maybe' : 'never';
		for (const item of items) {
			if (item.event === 'surveyClosed') continue;
			const campaign = this.campaigns.find(({ id }) => id === item.campaignId);
			const row = campaign && this.shown.get(campaign)?.find(({ id }) => id === rowOf(item));
			const wrong =
				campaign && row
					? wrongAnswers(
							item,
							output,
							{ answers: row.answers, questions: campaign.questions },
							countsFrom,
							proof,
						)
					: 'no row that was shown';
			if (wrong) this.faults.push(`${String(item.campaignId)} row ${rowOf(item)}: ${wrong}`);
		}
	}

	/** Checks that the editor shows rows with the selected events. If there are none, it must show one complete example. */
	private async fetchTestEvent(): Promise<void> {
		const { parameters } = this.host.options;
		parameters.campaignIds = this.selected.map((number) => `c${number}`);
		this.conditions = { faults: [], list: 'ok' };
		this.readsLeft = Infinity;
		this.shown = new Map();
		let items: IDataObject[] = [];
		try {
			await this.withClock(async () => {
				items = await this.host.sample();
			});
		} catch (error) {
			if (this.shown.size > 0) this.faults.push(`Fetch Test Event: ${String(error)}`);
			return;
		}
		const wanted: unknown = parameters.events;
		const chosen = events.filter((event) => Array.isArray(wanted) && wanted.includes(event));
		const hasRows = [...this.shown.values()]
			.flat()
			.some((row) => chosen.some((event) => row.has(event)));
		const rows = items.filter(({ event }) => event !== 'surveyClosed');
		const examples = rows.filter(({ example }) => example === true);
		const isRight =
			hasRows || chosen.length === 0
				? examples.length === 0 && rows.length > 0 === hasRows && items.length <= 5
				: examples.length === 1 && rows.length === 1;
		if (!isRight) this.faults.push(`Fetch Test Event returns ${JSON.stringify(items)}`);
		this.checkAnswers(
			rows.filter(({ example }) => example !== true),
			this.isNumberingShown(),
		);
		for (const example of examples) this.checkExample(example);
	}

	private checkExample(example: IDataObject): void {
		const { output = 'raw' } = this.setting;
		const campaign = this.campaigns.find(({ id }) => id === example.campaignId);
		const answers = output === 'simplified' ? example.answers : example;
		const isWhole = QUESTIONS.slice(0, campaign?.questions).every(
			({ name }) => typeof answers === 'object' && answers !== null && name in answers,
		);
		if (output !== 'raw' && !isWhole)
			this.faults.push(`The example lacks questions: ${JSON.stringify(example)}`);
	}

	/** Records what the trigger watches from this poll on and what the service showed. */
	private account(how: How): void {
		for (const [number, campaign] of this.campaigns.entries()) {
			const isRead = this.shown.has(campaign);
			if (isRead && campaign.status === '3') this.missUnseen(campaign);
			const isNew = how !== 'activate' && !campaign.isKnown();
			for (const event of events) {
				const isOpened = this.accountEvent(campaign, number, event, isNew, how === 'init');
				// The event may have been selected at any time while n8n was down.
				if (!isOpened || how !== 'init') continue;
				campaign.addUnsure(event, this.lastSaved, this.now);
				const span = campaign.openSpan(event);
				if (span) span.since = Math.min(span.since, this.lastSaved);
			}
			if (this.listed.has(campaign)) campaign.knownSince = Math.min(campaign.knownSince, this.now);
			// A campaign that is neither listed nor requested counts as closed in this poll.
			const countsAsClosed =
				this.setting.surveyClosed && !this.listed.has(campaign) && !this.asked.has(campaign);
			if (isRead && campaign.readUnsureUntil === Infinity && !countsAsClosed)
				campaign.readUnsureUntil = this.now;
			if (!isRead) continue;
			this.accountAgain(campaign);
			campaign.readAt = this.now;
			for (const row of this.shown.get(campaign) ?? []) {
				row.shownDate = row.date;
				for (const event of events) if (row.has(event)) row.shown.add(event);
			}
		}
	}

	/** Expects a person's events once more if the person submitted before the closing and again after the reopening. */
	private accountAgain(campaign: Campaign): void {
		const rows = this.shown.get(campaign) ?? [];
		if (campaign.status === '3') {
			const isSure = !this.isFull && this.serviceJumpedAt === -Infinity && !campaign.isOnlyCounted;
			if (!this.listed.has(campaign)) return;
			campaign.drained = new Set(isSure ? rows.filter(({ stage }) => stage >= SUBMITTED) : []);
			campaign.drainedAt = this.now;
			return;
		}
		for (const row of rows) {
			if (!row.again.isPending || !this.listed.has(campaign)) continue;
			row.again.isPending = false;
			if (!campaign.drained.delete(row)) continue;
			for (const event of ['campaignResponded', 'surveySubmitted'] as const)
				if ((campaign.openSpan(event)?.sure ?? Infinity) <= campaign.drainedAt)
					row.again.sure.push(event);
		}
	}

	private accountClosings(how: How, isThrown: boolean): void {
		if (!this.setting.surveyClosed) return;
		for (const [number, campaign] of this.campaigns.entries()) {
			const isAll = this.setting.watch === 'all';
			if (!isAll && !this.selected.includes(number)) {
				campaign.closings.forget(this.now);
				continue;
			}
			const isListed = this.listed.has(campaign);
			const isAsked = this.asked.has(campaign);
			if (!isListed && !isAsked && !campaign.wasFoundClosed) {
				// The trigger may read a reopened campaign without asking whether it is closed.
				if (this.shown.has(campaign) && !campaign.wasReopened)
					this.faults.push(`${campaign.id} is read without asking whether it is closed`);
				continue;
			}
			const isNew = isAll && !campaign.wasSeen && campaign.live > this.activatedAt;
			campaign.wasSeen = true;
			if ((campaign.status === '1' && (isListed || isAsked)) || (isNew && how !== 'activate'))
				campaign.closings.sawLive(this.now);
			const rows = this.shown.get(campaign);
			if (campaign.status !== '3' || !(isThrown ? isAsked : rows)) continue;
			const isComplete =
				!isThrown && !this.isFull && (rows?.length !== 0 || campaign.rows.length === 0);
			// If the campaign is not on the list, this poll only finds out that it is closed; the next read emits the closing.
			campaign.closings.sawClosed(this.now, isComplete && (isListed || campaign.wasFoundClosed));
			if (isAsked) campaign.wasFoundClosed = true;
		}
	}

	private accountEvent(
		campaign: Campaign,
		number: number,
		event: EventName,
		isNew: boolean,
		isRestarted: boolean,
	): boolean {
		const { parameters } = this.host.options;
		const wanted: unknown = parameters.events;
		const isWanted = Array.isArray(wanted) && wanted.includes(event);
		const isSelected =
			this.setting.watch === 'selected'
				? this.selected.includes(number)
				: campaign.isKnown() || (this.listWorked && !campaign.vanished);
		let span = campaign.openSpan(event);
		const isOpened = !span && isWanted && isSelected;
		if (span && !(isWanted && isSelected)) {
			span.end = campaign.readAt;
			// When the event or campaign is deselected, the trigger drops events that it held back at the limit of items.
			campaign.addUnsure(event, this.wasFull ? -Infinity : campaign.readAt, this.now);
			for (const row of campaign.rows) if (!row.shown.has(event)) row.unsure = true;
			return false;
		}
		if (isOpened) {
			let since = this.setting.emitExisting ? -Infinity : this.now;
			if (this.setting.watch === 'all' && isNew && since > -Infinity) {
				// Either the campaign went live after the list was last read, or it was live before and is visible only now.
				const { sendsDate } = this.setting;
				const lag = sendsDate ? LIST_LAG.serviceTime : LIST_LAG.ownTime;
				since = campaign.live > this.lastList.at - lag ? -Infinity : this.now;
				const isClockUnsure = sendsDate
					? this.serviceJumpedAt > this.lastList.read
					: this.clockWasAhead;
				if (isClockUnsure || (isRestarted && campaign.live > this.activatedAt))
					campaign.addUnsure(event, -Infinity, this.now);
			}
			span = { since, opened: this.now };
			if (since === -Infinity) span.sure = -Infinity;
			campaign.spans.set(event, [...(campaign.spans.get(event) ?? []), span]);
		}
		if (span && span.sure === undefined && this.shown.has(campaign)) {
			span.sure = this.now;
			this.missUnseen(campaign);
		}
		return isOpened;
	}

	/** Marks a row as `unsure` if the service omits it or shows it as unread. */
	private missUnseen(campaign: Campaign): void {
		const shown = new Set(this.shown.get(campaign));
		for (const row of campaign.rows) if (row.unread || !shown.has(row)) row.unsure = true;
	}

	private respond({ url, qs }: IHttpRequestOptions): IDataObject {
		const path = url.replace('/int/v1/', '');
		if (path === 'me') return ok({ _id: 'me' });
		if (path === 'campaign') return this.list(qs ?? {});
		const [, id, what = ''] = /^campaign\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
		const number = this.campaigns.findIndex((campaign) => campaign.id === id);
		const campaign = this.campaigns[number];
		if (!campaign) return refusal('Not Found.');
		// Deleted, or no longer shared with the caller.
		if (campaign.vanished) return number % 2 === 0 ? refusal('Not Found.') : forbidden;
		if (what === 'report') return ok({ recipientsAmount: campaign.rows.length + 1 });
		if (
			what === '' &&
			!['error', 'webPage', 'forbidden'].includes(String(this.conditions.faults[number]))
		) {
			this.asked.add(campaign);
			return ok({ _id: campaign.id, name: campaign.id, status: campaign.status });
		}
		if (what === 'surveyData' && this.readsLeft-- <= 0) return { ...failed, statusCode: 429 };
		const isClosed = campaign.status === '3';
		switch (this.conditions.faults[number]) {
			case 'error':
				return failed;
			case 'webPage':
				return { statusCode: 200, headers: {}, body: '<html>' };
			case 'forbidden':
				return forbidden;
			case 'notASurvey':
				// Before the first read, the trigger has to believe this response.
				if (this.setting.watch === 'all' && !this.wasRead(campaign)) campaign.wasDenied = true;
				return refusal('Campaign is not a survey');
			case 'empty':
				if (isClosed) break;
				this.shown.set(campaign, []);
				return ok({ ...this.surveyData(campaign, []), result: number % 2 === 0 ? [] : undefined });
		}
		const shown = campaign.rows.filter(({ hidden, removed }) => !hidden && !removed);
		this.shown.set(campaign, shown);
		return ok(this.surveyData(campaign, shown));
	}

	private surveyData({ id, anonymous, questions }: Campaign, rows: Row[]): IDataObject {
		const { countsFrom = 0, firstRequired: required } = this.setting;
		return {
			name: id,
			anonymous,
			questions: QUESTIONS.slice(0, questions).map(({ title }) => ({ title, required })),
			result: rows.map((row) => rowAsShown(anonymous, row, countsFrom)),
		};
	}

	private wasRead(campaign: Campaign): boolean {
		return [...campaign.spans.values()].flat().some(({ sure }) => (sure ?? -1) > 0);
	}

	private list({ previousLastId, minLiveDate }: IDataObject): IDataObject {
		if (this.conditions.list === 'fails') return failed;
		this.listWorked = true;
		if (previousLastId !== undefined || this.conditions.list === 'empty') {
			if (this.conditions.list === 'empty') this.listWorked = false;
			return ok([]);
		}
		const from = typeof minLiveDate === 'string' ? Date.parse(minLiveDate) : -Infinity;
		const shown = this.campaigns.filter(
			({ vanished, live }, number) =>
				!vanished &&
				live >= from &&
				!(this.setting.watch === 'selected' && this.setting.unlisted === number),
		);
		for (const campaign of shown) this.listed.add(campaign);
		return ok(
			shown.map(({ id, live, status }) => ({
				_id: id,
				status,
				liveDate: new Date(live).toISOString(),
			})),
		);
	}
}

/** A response that asks for a longer wait than the trigger accepts, so the trigger does not retry within the poll. */
const failed: IDataObject = {
	statusCode: 500,
	headers: { 'retry-after': '3600' },
	body: { success: false, message: 'Out of order' },
};

const forbidden: IDataObject = { ...failed, statusCode: 403 };

function headersOf({ headers }: IDataObject): object {
	return typeof headers === 'object' && headers !== null ? headers : {};
}

function ok(data: IDataObject | IDataObject[]): IDataObject {
	return { statusCode: 200, headers: {}, body: { success: true, data } };
}

function refusal(message: string): IDataObject {
	return { statusCode: 200, headers: {}, body: { success: false, message } };
}

/** Returns the row number of an item: the whole part of `responseDuration`, which is in every output format. */
function rowOf({ responseDuration }: IDataObject): number {
	return typeof responseDuration === 'number' ? Math.floor(responseDuration) : NaN;
}

function rowAsShown(anonymous: boolean, row: Row, countsFrom: 0 | 1): IDataObject {
	const shown: IDataObject = {
		read: !row.unread,
		responseSubmitted: row.stage >= RESPONDED,
		submitted: row.stage >= SUBMITTED,
		responseDuration: row.id + row.stage / 10,
		...rawAnswers(row.answers, countsFrom),
	};
	if (!anonymous && row.user !== undefined) shown.userId = row.user;
	if (row.email !== undefined) shown.userEmail = row.email;
	if (row.date !== undefined) shown.submittedDate = new Date(row.date).toISOString();
	return shown;
}
