import { IdSource } from './ids.mts';
import type { EmulatorClock } from './clock.mts';
import type { Broadcast, Campaign, Sendable } from './campaign.mts';
import { channelDefaults, type Channel } from './channel.mts';
import { ConsoleUsers, type ConsoleUser, type ConsoleUserGroup } from './consoleUsers.mts';
import type { StoredFile } from './files.mts';
import type { Keys } from './keys.mts';
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
	/** The owner of all keys, a Super User. */
	readonly superUser: ConsoleUser;
	/** A colleague, to whom some records belong. */
	readonly plainUser: ConsoleUser;
	private readonly scheduled = new Set<Sendable>();

	constructor(
		seed: number,
		private readonly clock: EmulatorClock,
		readonly keys: Keys,
	) {
		this.ids = new IdSource(seed);
		this.people = new People(this.ids);
		this.consoleUsers = new ConsoleUsers(this.ids);
		this.superUser = this.consoleUsers.add({
			email: 'ada.admin@company.example',
			firstName: 'Ada',
			lastName: 'Admin',
		});
		this.plainUser = this.consoleUsers.add({
			email: 'paul.plain@company.example',
			firstName: 'Paul',
			lastName: 'Plain',
		});
	}

	addRecipientGroup(name: string, members: Iterable<string> = []): RecipientGroup {
		const now = this.clock.now();
		return this.recipientGroups.add({
			_id: this.ids.next(),
			name,
			ownerId: this.superUser._id,
			exclusive: false,
			members: new Set(members),
			createdAt: now,
			changedAt: now,
			version: 0,
		});
	}

	addCampaign(given: NewCampaign): Campaign {
		return this.schedule(
			this.campaigns.add({
				title: given.name,
				description: '',
				categories: [],
				enableEmail: true,
				enableMobileNotification: true,
				commentVisibility: 'disabled',
				sharedGroups: [],
				...this.sendable(given),
				...given,
				_id: this.ids.next(),
				createdAt: this.clock.now(),
			}),
		);
	}

	addSurvey(given: NewSurvey): Campaign {
		const { questions, anonymous, ...rest } = given;
		const campaign = this.addCampaign(rest);
		campaign.survey = this.newSurvey(questions, {});
		campaign.survey.anonymous = anonymous ?? false;
		return campaign;
	}

	newSurvey(questions: QuestionInput[], settings: SurveySettings): Survey {
		return new Survey(
			questions.map((question) => ({ ...question, _id: this.ids.next(), tags: [] })),
			settings,
		);
	}

	addBroadcast(given: NewBroadcast): Broadcast {
		return this.schedule(
			this.broadcasts.add({
				emoji: '🔔',
				requiredConfirm: false,
				actionLinkText: 'More Detail',
				contentInEmail: false,
				...this.sendable(given),
				...given,
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

	/** Makes the record go live at its scheduled time, if it has one. Returns the record. */
	schedule<T extends Sendable>(record: T): T {
		if (record.status === '4') this.scheduled.add(record);
		return record;
	}

	/** Makes scheduled campaigns and broadcasts live if their time has come. */
	advance(): void {
		for (const record of this.scheduled) {
			const { status, scheduledAt } = record;
			if (status !== '4') this.scheduled.delete(record);
			else if (scheduledAt !== undefined && scheduledAt <= this.clock.now())
				this.goLive(record, scheduledAt);
		}
	}

	goLive(record: Sendable, time = this.clock.now()): void {
		record.status = '1';
		record.liveAt = time;
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
