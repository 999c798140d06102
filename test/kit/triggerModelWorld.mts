import type { IDataObject } from 'n8n-workflow';

export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;
const START = Date.parse('2026-01-31T09:00:00.000Z');

/** The events of a row. A person reaches them in this order. */
export const EVENTS = ['campaignRead', 'campaignResponded', 'surveySubmitted'] as const;
export type EventName = (typeof EVENTS)[number];
const SUBMITTED = 2;

/** What the service may send instead of a user ID or a date, and the forms in which it may write a time. */
const NO_ID = [undefined, null, '', '  ', 'null', 0, '0', '000000000000000000000000'];
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
const DATES = [...Array<'exact'>(9).fill('exact'), 'day', 'none', 'early', 'late'] as const;
const SHIFTS = { exact: 0, day: 0, none: 0, early: -50 * DAY, late: 120 * MINUTE };

export function pick<Value>(list: readonly Value[], number: number): Value {
	return list[Math.floor(number) % list.length] as Value;
}

/** One recipient of a campaign. */
export class Row {
	stage = -1;
	/** The time of submission that the service shows. */
	date?: number;
	answer?: number;
	isHidden = false;

	constructor(
		readonly id: number,
		person: number,
		private readonly idKind = pick(IDS, person),
		private readonly dateKind = pick(DATES, person / IDS.length),
	) {}

	get hasId(): boolean {
		return this.idKind !== 'none';
	}

	advance({ serviceNow }: World): void {
		if (++this.stage === 1) this.answer = this.id % 4;
		if (this.stage === SUBMITTED) this.submit(serviceNow);
	}

	submit(serviceNow: number): void {
		if (this.dateKind === 'none') return;
		this.date = serviceNow + SHIFTS[this.dateKind];
		if (this.dateKind === 'day') this.date = Math.floor(this.date / DAY) * DAY + DAY - 1;
	}

	/** The row as the service shows it. @param read varies what may vary from read to read */
	shown(read: number, isAnonymous: boolean): IDataObject {
		const variant = this.id + read;
		const ids = { none: pick(NO_ID, variant), number: 1_000 + this.id, text: `user ${this.id}` };
		const form =
			this.dateKind === 'day' ? (time: number) => iso(time).slice(0, 10) : pick(FORMS, variant);
		const noDate = this.stage < SUBMITTED ? undefined : pick(NO_DATE, variant);
		const row = {
			read: true,
			responseSubmitted: this.stage > 0,
			submitted: this.stage === SUBMITTED,
			submittedDate: this.date === undefined ? noDate : form(this.date),
			// The service may sometimes name the people of an anonymous survey.
			...((!isAnonymous || variant % 3 === 0) && {
				userId: ids[this.idKind],
				userEmail: `${this.id}@example.com`,
			}),
			responseDuration: this.id,
			'q.0': this.answer,
		};
		return JSON.parse(JSON.stringify(row)) as IDataObject;
	}
}

/** A campaign. If it is hidden, it can be neither listed nor read. If it is unlisted, it is missing from the list, but can still be read. */
export class Campaign {
	rows: Row[] = [];
	isAnonymous = false;
	isHidden = false;
	isUnlisted = false;

	/** @param liveAt when it went live by the service's clock; undefined without a readable date */
	constructor(
		readonly id: string,
		public status: string,
		public liveAt: number | undefined,
		readonly category: 'a' | 'b',
		readonly isSurvey = true,
	) {}
}

/** The truth: who did what, and when. It knows nothing of the trigger. */
export class World {
	now = START;
	/** How far the service's clock, and n8n's clock, are ahead of the true time. */
	offset = 0;
	ownOffset = 0;
	readonly campaigns: Campaign[] = [];
	/** How many responses had survey data. */
	reads = 0;
	private rowCount = 0;

	/** @param anonymous for each survey that exists at the start, whether it is anonymous */
	constructor(anonymous: boolean[]) {
		for (const [number, isAnonymous] of anonymous.entries())
			this.add('1', START - (number === 2 ? 87 : 10) * DAY).isAnonymous = isAnonymous;
		this.campaigns.push(new Campaign('plain', '1', START - DAY, 'a', false));
	}

	get serviceNow(): number {
		return this.now + this.offset;
	}

	/** @param a usually selects the campaign or row @param b selects how */
	change(name: string, a: number, b: number): void {
		const surveys = this.campaigns.filter(({ isSurvey }) => isSurvey);
		const rows = surveys.flatMap((campaign) => campaign.rows.map((row) => ({ campaign, row })));
		const { campaign, row } = rows[a % rows.length] ?? {};
		if (campaign && row) ROW_CHANGES[name]?.(row, campaign, this);
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

	/** Adds a campaign, up to seven. */
	add(status: string, liveAt?: number): Campaign {
		const number = this.campaigns.length;
		const campaign = new Campaign(`c${number}`, status, liveAt, number % 2 === 0 ? 'a' : 'b');
		if (number < 7) this.campaigns.push(campaign);
		return campaign;
	}

	arrive(campaign: Campaign, stage: number, person: number): void {
		if (campaign.status !== '1') return;
		const row = new Row(this.rowCount++, person);
		campaign.rows.push(row);
		while (row.stage < stage) row.advance(this);
	}
}

/** The changes of a row. */
const ROW_CHANGES: Record<string, (row: Row, campaign: Campaign, world: World) => unknown> = {
	advance: (row, { status }, world) =>
		status === '1' && row.stage < SUBMITTED && row.advance(world),
	edit: (row, { status }) =>
		status === '1' && row.stage === SUBMITTED && (row.answer = (row.answer ?? 0) + 10),
	redate: (row, { status, isAnonymous }, world) => {
		// If a row has no user ID and its date changes, this is a known limit.
		if (status !== '1' || isAnonymous || !row.hasId || row.date === undefined) return;
		row.submit(world.serviceNow);
	},
	hide: (row) => (row.isHidden = !row.isHidden),
};

const OFFSETS = [4 * DAY, -3 * DAY, 144 * MINUTE, -144 * MINUTE, 3 * MINUTE];

/** All other changes. */
const CHANGES: Record<string, (w: World, campaign: Campaign, a: number, b: number) => unknown> = {
	arrive: (world, campaign, _, b) => world.arrive(campaign, b % 3, b / 3),
	crowd: (world, campaign, _, b) => {
		for (let count = pick([2, 2, 2, 25, 25, 25, 25, 25, 25, 3_400], b); count > 0; count--)
			world.arrive(campaign, SUBMITTED, b % 7);
	},
	close: (_, campaign) => campaign.status === '1' && (campaign.status = '3'),
	reopen: (_, campaign) => campaign.status === '3' && (campaign.status = '1'),
	goLive: ({ serviceNow: liveAt }, campaign, _, b) =>
		['0', '4'].includes(campaign.status) &&
		Object.assign(campaign, { status: '1', liveAt: b % 4 === 0 ? undefined : liveAt }),
	hideCampaign: (_, campaign) => (campaign.isHidden = !campaign.isHidden),
	unlist: (_, campaign) => (campaign.isUnlisted = !campaign.isUnlisted),
	turn: (_, campaign) => (campaign.isAnonymous = !campaign.isAnonymous),
	launch: (world, _, a, b) => {
		const campaign = world.add('1', a % 4 === 0 ? undefined : world.serviceNow);
		world.arrive(campaign, b % 3, b / 3);
		if (b % 5 === 0) campaign.status = '3';
	},
	share: (world, _, a) => {
		const campaign = world.add('1', world.serviceNow - 3 * DAY);
		for (let person = a; person < a + 5; person++) world.arrive(campaign, SUBMITTED, person);
	},
	prepare: (world, _, a) => world.add(a % 2 === 0 ? '0' : '4'),
	wait: (world, _, minutes) => (world.now += (minutes % 21) * MINUTE),
	waitLong: (world, _, minutes) => (world.now += (minutes % 13_001) * MINUTE),
	clock: (w, _, a) =>
		(w.ownOffset = w.ownOffset ? 0 : pick([...OFFSETS, 200 * DAY, -200 * DAY], a)),
	serviceClock: (world, _, a) => (world.offset = world.offset ? 0 : pick(OFFSETS, a)),
};
