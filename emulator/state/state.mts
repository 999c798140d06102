import { IdSource } from './ids.mts';
import type { EmulatorClock } from './clock.mts';
import type { Broadcast, Campaign, Sendable } from './campaign.mts';
import { channelDefaults, type Channel } from './channel.mts';
import { ConsoleUsers, type ConsoleUser, type ConsoleUserGroup } from './consoleUsers.mts';
import type { StoredFile } from './files.mts';
import { Keys, type Key } from './keys.mts';
import { OrderedStore } from './orderedStore.mts';
import { People } from './people.mts';
import type { RecipientGroup } from './recipientGroup.mts';
import { Survey, type QuestionInput, type SurveySettings } from './survey.mts';
import type { Template } from './template.mts';

export type NewCampaign = { name: string } & Partial<
	Omit<Campaign, '_id' | 'createdAt' | 'survey'>
>;
export type NewSurvey = NewCampaign & {
	questions: QuestionInput[];
	anonymous?: boolean;
};
export type NewBroadcast = { title: string; message: string } & Partial<
	Omit<Broadcast, '_id' | 'createdAt'>
>;
export type NewChannel = Partial<
	Omit<Channel, '_id' | 'createdAt' | 'managers' | 'managerGroups' | 'recipients'>
>;

const nobody: ReadonlySet<string> = new Set();

/** All records of the emulated service. */
export class EmulatorState {
	readonly ids: IdSource;
	readonly people: People;
	readonly consoleUsers: ConsoleUsers;
	readonly consoleUserGroups = new OrderedStore<ConsoleUserGroup>();
	readonly campaigns = new OrderedStore<Campaign>();
	readonly broadcasts = new OrderedStore<Broadcast>();
	readonly recipientGroups = new OrderedStore<RecipientGroup>();
	readonly channels = new OrderedStore<Channel>();
	readonly templates = new OrderedStore<Template>();
	readonly files = new OrderedStore<StoredFile>();
	/** The console user whose keys have the rights of a Super User. */
	readonly superUser: ConsoleUser;
	/** The console user whose keys do not have the rights of a Super User. */
	readonly plainUser: ConsoleUser;
	readonly keys: Keys;
	private readonly clock: EmulatorClock;
	/** The earliest go-live time of all scheduled records. */
	private nextDue = Number.POSITIVE_INFINITY;

	constructor(seed: number, clock: EmulatorClock, keys: Keys) {
		this.clock = clock;
		this.keys = keys;
		this.ids = new IdSource(seed);
		this.people = new People(this.ids);
		this.consoleUsers = new ConsoleUsers(this.ids);
		this.superUser = this.consoleUsers.add({
			email: 'ada.admin@company.example',
			firstName: 'Ada',
			lastName: 'Admin',
			superUser: true,
		});
		this.plainUser = this.consoleUsers.add({
			email: 'paul.plain@company.example',
			firstName: 'Paul',
			lastName: 'Plain',
		});
	}

	ownerOf(key: Key): ConsoleUser {
		return key.owner === 'superUser' ? this.superUser : this.plainUser;
	}

	addRecipientGroup(
		name: string,
		members: Iterable<string> = [],
		ownerId = this.superUser._id,
	): RecipientGroup {
		const now = this.clock.now();
		return this.recipientGroups.add({
			_id: this.ids.next(),
			name,
			ownerId,
			exclusive: false,
			members: new Set(members),
			createdAt: now,
			changedAt: now,
			version: 0,
		});
	}

	addCampaign(given: NewCampaign): Campaign {
		const { name, ...rest } = given;
		return this.schedule(
			this.campaigns.add({
				title: name,
				description: '',
				categories: [],
				enableEmail: true,
				enableMobileNotification: true,
				commentVisibility: 'disabled',
				sharedGroups: [],
				...this.sendable(rest),
				...rest,
				name,
				_id: this.ids.next(),
				createdAt: this.clock.now(),
			}),
		);
	}

	addSurvey(given: NewSurvey): Campaign {
		const { questions, anonymous, ...rest } = given;
		const campaign = this.addCampaign(rest);
		campaign.survey = this.newSurvey(questions, {});
		campaign.survey.setAnonymous(anonymous ?? false);
		return campaign;
	}

	newSurvey(questions: QuestionInput[], settings: SurveySettings): Survey {
		return new Survey(
			questions.map((question) => ({ ...question, _id: this.ids.next(), tags: [] })),
			settings,
		);
	}

	addBroadcast(given: NewBroadcast): Broadcast {
		const { title, message, ...rest } = given;
		return this.schedule(
			this.broadcasts.add({
				emoji: '🔔',
				requiredConfirm: false,
				actionLinkText: 'More Detail',
				contentInEmail: false,
				...this.sendable(rest),
				...rest,
				title,
				message,
				_id: this.ids.next(),
				createdAt: this.clock.now(),
			}),
		);
	}

	addChannel(given: NewChannel): Channel {
		const now = this.clock.now();
		const ownerId = given.ownerId ?? this.superUser._id;
		const name = given.name ?? '';
		return this.channels.add({
			title: name,
			description: '',
			paused: false,
			pinned: false,
			status: '1',
			sharedUserIds: [],
			sharedGroups: [],
			adminIds: [ownerId],
			changedAt: now,
			...given,
			name,
			defaults: { ...channelDefaults, ...given.defaults },
			ownerId,
			_id: this.ids.next(),
			createdAt: now,
			managers: new Map(),
			managerGroups: new Map(),
			recipients: new Map(),
		});
	}

	addTemplate(given: { name: string } & Partial<Omit<Template, '_id'>>): Template {
		const id = this.ids.next();
		return this.templates.add({
			marketImagePath: `https://images.example/templates/${id}.png`,
			lang: 'en',
			categories: [],
			isSurvey: false,
			templateUrl: `https://console.example/template/${id}`,
			...given,
			_id: id,
		});
	}

	addConsoleUserGroup(name: string, desc = ''): ConsoleUserGroup {
		const now = this.clock.now();
		return this.consoleUserGroups.add({
			_id: this.ids.next(),
			name,
			desc,
			deleted: false,
			default: false,
			roles: ['editor'],
			createdAt: now,
			changedAt: now,
		});
	}

	/** If the record is scheduled for an earlier time than `nextDue`, lowers `nextDue`. Returns the record. */
	schedule<T extends Sendable>(record: T): T {
		if (record.scheduledAt !== undefined && record.status !== '1' && record.status !== '3') {
			this.nextDue = Math.min(this.nextDue, record.scheduledAt);
		}
		return record;
	}

	/** Makes scheduled campaigns and broadcasts live if their time has come. */
	advance(): void {
		const now = this.clock.now();
		if (now < this.nextDue) return;
		this.nextDue = Number.POSITIVE_INFINITY;
		for (const store of [this.campaigns, this.broadcasts]) {
			for (const record of store.values()) {
				if (record.scheduledAt === undefined || record.status === '1' || record.status === '3')
					continue;
				if (record.scheduledAt <= now) {
					record.status = '1';
					record.liveAt = record.scheduledAt;
					delete record.scheduledAt;
				} else {
					this.schedule(record);
				}
			}
		}
	}

	goLive(record: Sendable): void {
		record.status = '1';
		record.liveAt = this.clock.now();
		delete record.scheduledAt;
	}

	private sendable(given: Partial<Sendable>): Omit<Sendable, '_id' | 'createdAt'> {
		const ownerId = given.ownerId ?? this.superUser._id;
		const status = given.status ?? '1';
		return {
			status,
			...(status === '1' || status === '3' ? { liveAt: this.clock.now() } : {}),
			senderId: ownerId,
			ownerId,
			sharedUserIds: [],
			adminIds: [ownerId],
			recipients: nobody,
			viaApi: false,
		};
	}
}
