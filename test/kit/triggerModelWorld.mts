import type { IDataObject } from 'n8n-workflow';

/** The questions that a survey can have, in order. Each has a title, and the name that its answer gets in an item. */
export const QUESTIONS = [
	{ title: 'How?', name: 'How?' },
	{ title: 'Why?', name: 'Why?' },
	{ title: 'How?', name: 'How? (2)' },
	{ title: 'What else?', name: 'What else?' },
];

/** The answers of one row, by position of the question. */
export type Answers = Array<number | undefined>;

/** Returns the answers in the form of a service row. */
export function rawAnswers(answers: Answers, first: number): IDataObject {
	return Object.fromEntries(
		answers.flatMap((answer, place) =>
			answer === undefined ? [] : [[`q.${place + first}`, answer]],
		),
	);
}

/** The events of a row, in the order in which they happen. */
export const EVENTS = ['campaignRead', 'campaignResponded', 'surveySubmitted'] as const;
export type EventName = (typeof EVENTS)[number];

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-01-31T09:00:00.000Z');

/** The stage of a row at which each event happens. */
export const STAGE: Record<EventName, number> = {
	campaignRead: 0,
	campaignResponded: 1,
	surveySubmitted: 2,
};

/** What the service may send instead of a user ID, and instead of a date. */
const NO_ID = [undefined, null, '', '  ', 'null', 0, '0', '000000000000000000000000'];
const NO_DATE = [undefined, null, '', 'soon', 0, '0001-01-01T00:00:00.000Z', '1999-12-31'];

/** The forms in which the service may write one time. */
const FORMS: Array<(time: number) => string | number> = [
	(time) => new Date(time).toISOString(),
	(time) => new Date(time).toISOString().replace('.000Z', '+00:00'),
	(time) => new Date(time).toISOString().slice(0, 19),
	(time) => time,
	(time) => time / 1000,
	(time) => new Date(time + 120 * MINUTE).toISOString().replace('Z', '+02:00'),
];

export type Arrival = {
	/** 0 opened, 1 answered the first question, 2 submitted. */
	stage: number;
	/** How the service identifies the person, and what it shows as the time of submission. */
	id?: 'text' | 'number' | 'none';
	date?: 'exact' | 'day' | 'none' | 'early' | 'late';
	/** Which questions the person answers: one bit per question. */
	answers?: number;
};

/** One recipient of a campaign. */
export class Row {
	stage = -1;
	/** When each stage was reached. */
	at: number[] = [];
	/** The time of submission that the service shows. */
	date?: number;
	answers: Answers = [];
	isHidden = false;

	constructor(
		readonly id: number,
		readonly arrival: Arrival,
		readonly arrivedAt: number,
	) {}

	get hasId(): boolean {
		return this.arrival.id !== 'none';
	}

	/** The user ID of a row with one; the service writes no ID in many ways, one per `read`. */
	userId(read: number): unknown {
		if (this.arrival.id === 'none') return NO_ID[(this.id + read) % NO_ID.length];
		return this.arrival.id === 'number' ? 1_000 + this.id : `user ${this.id}`;
	}

	/** The time of submission, in one of its forms. */
	submittedDate(read: number): unknown {
		if (this.date === undefined)
			return this.stage < STAGE.surveySubmitted
				? undefined
				: NO_DATE[(this.id + read) % NO_DATE.length];
		if (this.arrival.date === 'day') return new Date(this.date).toISOString().slice(0, 10);
		return FORMS[(this.id + read) % FORMS.length]?.(this.date);
	}

	/** @param serviceNow the time by the service's clock */
	advance(now: number, serviceNow: number, questions: number): void {
		this.stage++;
		this.at[this.stage] = now;
		const { answers = 0 } = this.arrival;
		for (let number = 0; number < questions; number++) {
			const isFirst = (answers & (2 ** number - 1)) === 0;
			if (
				answers & (2 ** number) &&
				(this.stage === STAGE.surveySubmitted || (this.stage === 1 && isFirst))
			)
				this.answers[number] = (this.id * 7 + number) % 4;
		}
		if (this.stage === STAGE.surveySubmitted) this.submit(serviceNow);
	}

	submit(serviceNow: number): void {
		const { date = 'exact' } = this.arrival;
		if (date === 'none') return;
		const shift = { exact: 0, day: 0, early: -50 * DAY, late: 120 * MINUTE }[date];
		this.date = serviceNow + shift;
		if (date === 'day') this.date = Math.floor(this.date / DAY) * DAY + DAY - 1;
	}
}

export type Status = '0' | '1' | '3' | '4';

/** A campaign, and what happened to it. */
export class Campaign {
	rows: Row[] = [];
	isAnonymous = false;
	/** Neither listed nor readable, as after its owner stopped sharing it. */
	isHidden = false;
	/** Readable, but not on the list. */
	isUnlisted = false;
	questions = 3;

	constructor(
		readonly id: string,
		public status: Status,
		/** When the campaign went live by the service's clock; undefined without a readable date. */
		public liveAt: number | undefined,
		readonly category: 'a' | 'b',
		/** Whether the campaign is a survey. */
		readonly isSurvey = true,
	) {}
}

export type Change =
	| ({ do: 'arrive'; campaign: number } & Arrival)
	| { do: 'crowd'; campaign: number; count: number; id: 'text' | 'none' }
	| { do: 'advance' | 'edit' | 'redate' | 'hide'; which: number }
	| {
			do: 'close' | 'reopen' | 'hideCampaign' | 'unlist' | 'turn' | 'addQuestion' | 'goLive';
			campaign: number;
	  }
	| { do: 'launch' | 'share' | 'prepare'; dated?: boolean }
	| { do: 'wait'; minutes: number }
	| { do: 'clock' | 'serviceClock'; days: number };

/** The most campaigns of a world. */
const MOST_CAMPAIGNS = 6;

/** The service's side of the truth: who did what, and when. It knows nothing of the trigger. */
export class World {
	now = START;
	/** How far the service's clock, and n8n's clock, are ahead of the true time. */
	offset = 0;
	ownOffset = 0;
	readonly campaigns: Campaign[] = [];
	private rowCount = 0;

	/** @param anonymous for each campaign that exists at the start, whether it is anonymous */
	constructor(anonymous: boolean[]) {
		for (const [number, isAnonymous] of anonymous.entries()) {
			const age = number === 2 ? 87 : 10;
			this.add('1', START - age * DAY, isAnonymous);
		}
		this.campaigns.push(new Campaign('plain', '1', START - DAY, 'a', false));
	}

	get serviceNow(): number {
		return this.now + this.offset;
	}

	change(change: Change): void {
		switch (change.do) {
			case 'wait':
				this.now += change.minutes * MINUTE;
				return;
			case 'clock':
				this.ownOffset = this.ownOffset === 0 ? change.days * DAY : 0;
				return;
			case 'serviceClock':
				this.offset = this.offset === 0 ? change.days * DAY : 0;
				return;
			case 'launch':
				return this.add('1', change.dated === false ? undefined : this.serviceNow);
			case 'share':
				return this.add('1', this.serviceNow - 3 * DAY, false, 5);
			case 'prepare':
				return this.add(change.dated === true ? '4' : '0', undefined);
			case 'arrive':
				return this.arrive(this.campaign(change.campaign), change);
			case 'crowd':
				for (let number = 0; number < change.count; number++)
					this.arrive(this.campaign(change.campaign), { stage: 2, id: change.id, answers: 7 });
				return;
			default:
				if ('which' in change) this.changeRow(change.do, change.which);
				else this.changeCampaign(change.do, this.campaign(change.campaign));
		}
	}

	/** Shares and lists all campaigns again, and shows all rows. */
	showAll(): void {
		for (const campaign of this.campaigns) {
			campaign.isHidden = false;
			campaign.isUnlisted = false;
			for (const row of campaign.rows) row.isHidden = false;
		}
	}

	campaign(number: number): Campaign {
		const surveys = this.campaigns.filter(({ isSurvey }) => isSurvey);
		const found = surveys[number % surveys.length];
		if (!found) throw new Error('There is no campaign');
		return found;
	}

	private add(status: Status, liveAt: number | undefined, isAnonymous = false, people = 0): void {
		const number = this.campaigns.length;
		if (number > MOST_CAMPAIGNS) return;
		const campaign = new Campaign(`c${number}`, status, liveAt, number % 2 === 0 ? 'a' : 'b');
		campaign.isAnonymous = isAnonymous;
		this.campaigns.push(campaign);
		for (let person = 0; person < people; person++)
			this.arrive(campaign, { stage: 2, id: person % 2 === 0 ? 'text' : 'none', answers: 7 });
	}

	private arrive(campaign: Campaign, arrival: Arrival): void {
		if (campaign.status !== '1') return;
		const row = new Row(this.rowCount++, arrival, this.now);
		campaign.rows.push(row);
		// No two people submit in the same second, except in a crowd.
		while (row.stage < arrival.stage) row.advance(this.now, this.serviceNow, campaign.questions);
	}

	private changeRow(what: 'advance' | 'edit' | 'redate' | 'hide', which: number): void {
		const all = this.campaigns.flatMap((campaign) =>
			campaign.rows.map((row) => ({ campaign, row })),
		);
		const found = all[which % all.length];
		if (!found) return;
		const { campaign, row } = found;
		if (what === 'hide') row.isHidden = !row.isHidden;
		if (campaign.status !== '1' || what === 'hide') return;
		if (what === 'advance' && row.stage < STAGE.surveySubmitted)
			return row.advance(this.now, this.serviceNow, campaign.questions);
		if (row.stage < STAGE.surveySubmitted) return;
		if (what === 'edit') row.answers[1] = (row.answers[1] ?? 0) + 10;
		// Without a user ID, a date that changes is a limit.
		if (what === 'redate' && row.hasId && !campaign.isAnonymous && row.date !== undefined) {
			row.submit(this.serviceNow);
			row.at = [row.at[0] ?? this.now, this.now, this.now];
		}
	}

	private changeCampaign(what: string, campaign: Campaign): void {
		switch (what) {
			case 'close':
				if (campaign.status === '1') campaign.status = '3';
				return;
			case 'reopen':
				if (campaign.status === '3') campaign.status = '1';
				return;
			case 'goLive':
				if (campaign.status !== '0' && campaign.status !== '4') return;
				campaign.status = '1';
				campaign.liveAt = this.serviceNow;
				return;
			case 'hideCampaign':
				campaign.isHidden = !campaign.isHidden;
				return;
			case 'unlist':
				campaign.isUnlisted = !campaign.isUnlisted;
				return;
			case 'turn':
				campaign.isAnonymous = !campaign.isAnonymous;
				return;
			case 'addQuestion':
				campaign.questions = Math.min(campaign.questions + 1, QUESTIONS.length);
		}
	}
}

/** Returns a row as the service shows it. `read` varies what may vary from read to read. */
export function rowAsShown(
	row: Row,
	{
		isAnonymous,
		read,
		countsFrom,
		lacksDates,
	}: { isAnonymous: boolean; read: number; countsFrom: 0 | 1; lacksDates: boolean },
): IDataObject {
	// The service may name the people of an anonymous survey, now and then.
	const isNamed = !isAnonymous || (row.id + read) % 3 === 0;
	const shown: Record<string, unknown> = {
		read: true,
		responseSubmitted: row.stage >= STAGE.campaignResponded,
		submitted: row.stage >= STAGE.surveySubmitted,
		submittedDate: lacksDates && row.hasId ? undefined : row.submittedDate(read),
		userId: isNamed ? row.userId(read) : undefined,
		userEmail: isNamed ? `${row.id}@example.com` : undefined,
		responseDuration: row.id,
		...rawAnswers(row.answers, countsFrom),
	};
	return JSON.parse(JSON.stringify(shown)) as IDataObject;
}
