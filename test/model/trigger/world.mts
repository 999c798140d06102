import type { IDataObject } from 'n8n-workflow';

export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;
const START = Date.parse('2026-01-31T09:00:00.000Z');

/** The events of a person. A person reaches them in this order. */
export const EVENTS = ['campaignRead', 'campaignResponded', 'surveySubmitted'] as const;
export type EventName = (typeof EVENTS)[number] | 'surveyClosed';
const SUBMITTED = 2;

/** What the service may send instead of a user ID or a date, and the forms in which it may write a time. */
const NO_ID = [undefined, null, '', '  ', ' Null', 0, '0', '00000000-0000-0000-0000-000000000000'];
const NO_DATE = [undefined, null, '', 'soon', 0, '0001-01-01T00:00:00.000Z', '1999-12-31'];
const iso = (time: number) => new Date(time).toISOString();
const FORMS: Array<(time: number) => unknown> = [
	iso,
	(time) => iso(time).replace('.000Z', '+00:00'),
	(time) => iso(time).slice(0, 19),
	(time) => time,
	(time) => time / 1000,
	(time) => iso(time + 120 * MINUTE).replace('Z', '+02:00'),
];

/** The kinds of people: the IDs that they have, and the dates that the service shows. */
const IDS = ['text', 'text', 'number', 'none', 'text', 'none', 'text'] as const;
const DATES = [...Array<'exact'>(11).fill('exact'), 'day', 'none', 'early', 'late'] as const;
const SHIFTS = { exact: 0, day: 0, none: 0, early: -50 * DAY, late: 120 * MINUTE };

export function pick<Value>(list: readonly Value[], number: number): Value {
	return list[Math.floor(number) % list.length] as Value;
}

/** One recipient of a campaign. */
export type Row = {
	id: number;
	stage: number;
	/** How often the person submitted, and how often an answer was edited since. */
	times: number;
	edits: number;
	/** The time of submission that the service shows. */
	date?: number;
	isHidden?: boolean;
	idKind: (typeof IDS)[number];
	dateKind: (typeof DATES)[number];
};

/** A campaign. If it is hidden, it cannot be read. If it is unlisted, it is missing from the list, but can be read. */
export type Campaign = {
	id: string;
	status: '0' | '1' | '3' | '4';
	/** When it went live; undefined without a readable date. */
	liveAt: number | undefined;
	/** When the list first shows it, and the account that may read it; any account without one. */
	sharedAt: number;
	account?: string;
	category: 'a' | 'b';
	isSurvey: boolean;
	isAnonymous: boolean;
	isHidden: boolean;
	isUnlisted: boolean;
	rows: Row[];
};

/** What the user tells the trigger, and the identity of its node. */
export type Setting = {
	isAll: boolean;
	selected: string[];
	category?: 'a' | 'b';
	/** *Live Within Days*. */
	days: number;
	events: EventName[];
	emitExisting: boolean;
	account: string;
	node: number;
};

/** Something that happened: a person reached an event, or a survey was closed. */
export type Act = {
	event: EventName;
	campaign: Campaign;
	at: number;
	/** Without a row, a survey was closed. */
	row?: Row;
	/** The number of the submission, or of submissions before. */
	times: number;
	date?: number;
};

/** Anything else that happened, by name. */
export type Fact = { at: number; what: string; campaign?: Campaign; row?: Row };

/** The questions, by the letter of their title. Nobody answers the skipped one. */
export const QUESTIONS = ['A', 'B', 'C'];
export type Questions = { base: 0 | 1; skipped?: string };

/** Returns the answers of a row under the titles. */
export function answersOf({ id, stage, times, edits }: Row, { skipped }: Questions): IDataObject {
	const answers: IDataObject = {};
	for (const title of QUESTIONS)
		if (stage > 0 && title !== skipped) answers[title] = `${title}${id % 4}${times}${edits}`;
	return answers;
}

/** Returns a row as the service shows it. @param read varies what may vary from read to read */
export function shown(
	row: Row,
	read: number,
	isNamed: boolean,
	questions: Questions,
): Record<string, unknown> {
	const variant = row.id + read;
	const ids = { none: pick(NO_ID, variant), number: 1_000 + row.id, text: `user ${row.id}` };
	const form =
		row.dateKind === 'day' ? (time: number) => iso(time).slice(0, 10) : pick(FORMS, variant);
	const noDate = row.stage < SUBMITTED ? undefined : pick(NO_DATE, variant);
	const given = Object.entries(answersOf(row, questions));
	const answers: IDataObject = {};
	for (const [title, answer] of given)
		answers[`q.${QUESTIONS.indexOf(title) + questions.base}`] = answer;
	return {
		read: true,
		responseSubmitted: row.stage > 0,
		submitted: row.stage === SUBMITTED,
		submittedDate: row.date === undefined ? noDate : form(row.date),
		// The service may sometimes name the people of an anonymous survey.
		...((isNamed || variant % 3 === 0) && {
			userId: ids[row.idKind],
			userEmail: `${row.id}@example.com`,
		}),
		responseDuration: row.id * 100 + row.times,
		...answers,
	};
}

/** The truth: who did what, and when. It knows nothing of the trigger. */
export class World {
	now = START;
	/** How far n8n's clock is ahead. */
	ownOffset = 0;
	readonly campaigns: Campaign[] = [];
	readonly acts: Act[] = [];
	readonly facts: Fact[] = [];
	private rowCount = 0;

	/** @param anonymous for each survey that exists at the start, whether it is anonymous */
	constructor(anonymous: boolean[]) {
		for (const [number, isAnonymous] of anonymous.entries())
			this.add('1', START - (number === 2 ? 87 : 20) * DAY).isAnonymous = isAnonymous;
		this.add('1', START - DAY).isSurvey = false;
	}

	note(what: string, campaign?: Campaign, row?: Row): void {
		this.facts.push({ at: this.now, what, campaign, row });
	}

	/** @param a usually selects the campaign or row @param b selects how */
	change(name: string, a: number, b: number): void {
		const surveys = this.campaigns.filter(({ isSurvey }) => isSurvey);
		const rows = surveys.flatMap((campaign) => campaign.rows.map((row) => ({ campaign, row })));
		const { campaign, row } = rows[a % rows.length] ?? {};
		if (campaign && row) ROW_CHANGES[name]?.(row, campaign, this);
		// There are up to seven campaigns.
		if (this.campaigns.length < 7 || !ADDS.includes(name))
			CHANGES[name]?.(this, pick(surveys, a), a, b);
		if (!CHANGES[name] && !ROW_CHANGES[name]) throw new Error(`There is no change ${name}`);
	}

	/** Shares and lists all campaigns again, and shows all rows. */
	showAll(): void {
		for (const campaign of this.campaigns) {
			Object.assign(campaign, { isHidden: false, isUnlisted: false });
			for (const row of campaign.rows) row.isHidden = false;
		}
	}

	/** Adds a campaign. */
	add(status: Campaign['status'], liveAt?: number): Campaign {
		const { length } = this.campaigns;
		const campaign: Campaign = {
			...{ id: `c${length}`, status, liveAt, sharedAt: -Infinity },
			...{ category: length % 2 === 0 ? 'a' : 'b', isSurvey: true, isAnonymous: false },
			...{ isHidden: false, isUnlisted: false, rows: [] },
		};
		this.campaigns.push(campaign);
		return campaign;
	}

	/** A person reads, responds or submits. */
	arrive(campaign: Campaign, stage: number, person: number): void {
		if (campaign.status !== '1') return;
		const [idKind, dateKind] = [pick(IDS, person), pick(DATES, person / IDS.length)];
		const row: Row = { id: this.rowCount++, stage: -1, times: 0, edits: 0, idKind, dateKind };
		campaign.rows.push(row);
		while (row.stage < stage) this.advance(campaign, row);
	}

	advance(campaign: Campaign, row: Row): void {
		if (++row.stage === SUBMITTED) this.submit(campaign, row);
		else this.act(campaign, pick(EVENTS, row.stage), row);
	}

	submit(campaign: Campaign, row: Row): void {
		row.times++;
		row.date = this.now + SHIFTS[row.dateKind];
		if (row.dateKind === 'day') row.date = Math.floor(row.date / DAY) * DAY + DAY - 1;
		if (row.dateKind === 'none') delete row.date;
		this.act(campaign, 'surveySubmitted', row);
	}

	act(campaign: Campaign, event: EventName, row?: Row): void {
		const { times = 0, date } = row ?? {};
		this.acts.push({ event, campaign, at: this.now, row, times, date });
	}
}

/** The changes of a row. */
const ROW_CHANGES: Record<string, (row: Row, campaign: Campaign, world: World) => unknown> = {
	advance: (row, campaign, world) =>
		campaign.status === '1' && row.stage < SUBMITTED && world.advance(campaign, row),
	edit: (row, campaign, world) => {
		if (campaign.status !== '1' || row.stage !== SUBMITTED) return;
		row.edits++;
		world.note('edit', campaign, row);
	},
	// The person answers again.
	again: (row, campaign, world) => {
		if (campaign.status !== '1' || row.stage !== SUBMITTED) return;
		world.act(campaign, 'campaignResponded', row);
		world.submit(campaign, row);
	},
	hide: (row, campaign, world) => {
		row.isHidden = !row.isHidden;
		world.note(row.isHidden ? 'hide' : 'show', campaign, row);
	},
};

/** How far n8n's clock may be ahead. */
const OFFSETS = [4, -3, 0.1, -0.1, 0.002, 200, -200];

/** The changes that add a campaign. */
const ADDS = ['launch', 'share', 'foreign', 'prepare'];

/** All other changes. */
const CHANGES: Record<string, (w: World, campaign: Campaign, a: number, b: number) => unknown> = {
	arrive: (world, campaign, _, b) => world.arrive(campaign, b % 3, b / 3),
	crowd: (world, campaign, _, b) => {
		for (let count = pick([2, 2, 2, 25, 25, 25, 25, 25, 25, 3_400], b); count > 0; count--)
			world.arrive(campaign, SUBMITTED, b % 7);
	},
	close: (world, campaign) => {
		if (campaign.status !== '1') return;
		campaign.status = '3';
		world.act(campaign, 'surveyClosed');
	},
	reopen: (world, campaign) => {
		if (campaign.status !== '3') return;
		campaign.status = '1';
		world.note('reopen', campaign);
	},
	goLive: (world, campaign, _, b) => {
		if (!['0', '4'].includes(campaign.status)) return;
		Object.assign(campaign, {
			status: '1',
			liveAt: b % 4 === 0 ? undefined : world.now,
		});
		world.note('goLive', campaign);
	},
	hideCampaign: (world, campaign) => {
		campaign.isHidden = !campaign.isHidden;
		world.note('hideCampaign', campaign);
	},
	unlist: (world, campaign) => {
		campaign.isUnlisted = !campaign.isUnlisted;
		world.note('unlist', campaign);
	},
	turn: (world, campaign) => {
		campaign.isAnonymous = !campaign.isAnonymous;
		world.note('turn', campaign);
	},
	launch: (world, _, a, b) => {
		const campaign = world.add('1', a % 4 === 0 ? undefined : world.now);
		world.note('launch', campaign);
		world.arrive(campaign, b % 3, b / 3);
		if (b % 5 === 0) CHANGES.close?.(world, campaign, a, b);
	},
	/** Another account's survey, which has responses, is shared now. */
	share: (world, _, a) => {
		const campaign = world.add('1', world.now - 3 * DAY);
		for (let person = a; person < a + 5; person++) world.arrive(campaign, SUBMITTED, person);
		campaign.sharedAt = world.now += 1000;
		world.note('share', campaign);
	},
	/** A survey that only one account may read is launched. */
	foreign: (world, _, a, b) => {
		const campaign = world.add('1', world.now);
		campaign.account = pick(['first', 'second'], b);
		world.note('launch', campaign);
		for (let person = a; person < a + 3; person++) world.arrive(campaign, SUBMITTED, person);
	},
	prepare: (world, _, a) => world.add(a % 2 === 0 ? '0' : '4'),
	wait: (world, _, minutes) => (world.now += (minutes % 21) * MINUTE),
	waitLong: (world, _, minutes) => {
		world.now += (minutes % 13_001) * MINUTE;
	},
	clock: (world, _, a) => {
		world.ownOffset = world.ownOffset ? 0 : Math.floor(pick(OFFSETS, a) * DAY);
		world.note('clock');
	},
};
