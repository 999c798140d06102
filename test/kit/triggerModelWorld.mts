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

/** One recipient of a campaign, with the time of submission that the service shows. */
export type Row = {
	id: number;
	stage: number;
	date?: number;
	answer?: number;
	isHidden?: boolean;
	hasId: boolean;
	idKind: (typeof IDS)[number];
	dateKind: (typeof DATES)[number];
};

/** A campaign. If it is hidden, it can be neither listed nor read. If it is unlisted, it is missing from the list, but can still be read. */
export type Campaign = {
	id: string;
	status: string;
	/** When it went live by the service's clock; undefined without a readable date. */
	liveAt: number | undefined;
	category: 'a' | 'b';
	isSurvey: boolean;
	isAnonymous: boolean;
	isHidden: boolean;
	isUnlisted: boolean;
	rows: Row[];
};

/** Returns a row as the service shows it. @param read varies what may vary from read to read */
export function shown(row: Row, read: number, isAnonymous: boolean): IDataObject {
	const variant = row.id + read;
	const ids = { none: pick(NO_ID, variant), number: 1_000 + row.id, text: `user ${row.id}` };
	const form =
		row.dateKind === 'day' ? (time: number) => iso(time).slice(0, 10) : pick(FORMS, variant);
	const noDate = row.stage < SUBMITTED ? undefined : pick(NO_DATE, variant);
	const fields = {
		read: true,
		responseSubmitted: row.stage > 0,
		submitted: row.stage === SUBMITTED,
		submittedDate: row.date === undefined ? noDate : form(row.date),
		// The service may sometimes name the people of an anonymous survey.
		...((!isAnonymous || variant % 3 === 0) && {
			userId: ids[row.idKind],
			userEmail: `${row.id}@example.com`,
		}),
		responseDuration: row.id,
		'q.0': row.answer,
	};
	return JSON.parse(JSON.stringify(fields)) as IDataObject;
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
			this.add('1', START - (number === 2 ? 87 : 20) * DAY).isAnonymous = isAnonymous;
		this.add('1', START - DAY, false).id = 'plain';
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
	add(status: string, liveAt?: number, isSurvey = true): Campaign {
		const { length } = this.campaigns;
		const campaign: Campaign = {
			...{ id: `c${length}`, status, liveAt, category: length % 2 === 0 ? 'a' : 'b', isSurvey },
			...{ isAnonymous: false, isHidden: false, isUnlisted: false, rows: [] },
		};
		if (length < 7) this.campaigns.push(campaign);
		return campaign;
	}

	/** A person reads, responds or submits. */
	arrive({ status, rows }: Campaign, stage: number, person: number): void {
		if (status !== '1') return;
		const [idKind, dateKind] = [pick(IDS, person), pick(DATES, person / IDS.length)];
		const row = { id: this.rowCount++, stage: -1, hasId: idKind !== 'none', idKind, dateKind };
		rows.push(row);
		while (row.stage < stage) this.advance(row);
	}

	advance(row: Row): void {
		if (++row.stage === 1) row.answer = row.id % 4;
		if (row.stage === SUBMITTED) this.submit(row);
	}

	submit(row: Row): void {
		if (row.dateKind === 'none') return;
		row.date = this.serviceNow + SHIFTS[row.dateKind];
		if (row.dateKind === 'day') row.date = Math.floor(row.date / DAY) * DAY + DAY - 1;
	}
}

/** The changes of a row. */
const ROW_CHANGES: Record<string, (row: Row, campaign: Campaign, world: World) => unknown> = {
	advance: (row, { status }, world) =>
		status === '1' && row.stage < SUBMITTED && world.advance(row),
	edit: (row, { status }) =>
		status === '1' && row.stage === SUBMITTED && (row.answer = (row.answer ?? 0) + 10),
	redate: (row, { status, isAnonymous }, world) => {
		// If a row has no user ID and its date changes, this is a known limit.
		if (status !== '1' || isAnonymous || !row.hasId || row.date === undefined) return;
		world.submit(row);
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
