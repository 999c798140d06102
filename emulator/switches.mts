import type { CampaignStatus } from './state/campaign.mts';
import type { QuestionNumbering } from './state/survey.mts';

/** The lists of the service that can be cut short by `pageCap`. */
export type ListName =
	| 'campaign'
	| 'broadcast'
	| 'recipientGroup'
	| 'channel'
	| 'channelManager'
	| 'channelManagerGroup'
	| 'channelRecipient'
	| 'template';

/**
 * What the emulator does where the specification says "not shown", or says two things
 * at once. Each value is one plausible behaviour of the real service; tests try them all. They can be
 * changed at any time: the next request sees the change.
 */
export interface Switches {
	/**
	 * Emails nobody has, when adding or removing group members: the whole call is refused with the
	 * documented message, the known ones are worked on and the others listed in `errorLog`, or the
	 * others are silently ignored.
	 * Source: Errors, "Add or remove group recipients with unknown emails"; Recipient group, `errorLog`.
	 */
	unknownEmails: 'refuseCall' | 'errorLog' | 'ignore';
	/** The same for ids nobody has. Source: not mentioned at all. */
	unknownIds: 'refuseCall' | 'errorLog' | 'ignore';
	/** Message of a call refused because of unknown ids. Source: Errors names only emails. */
	unknownIdsMessage: string;
	/**
	 * Elements of `errorLog`. Source: Recipient group, "Shape of errorLog elements: not shown".
	 * `field`: `{ email }` or `{ _id }`; `recipientField`: `{ recipientEmail, message }` or
	 * `{ recipientId, message }`; `valueError`: `{ value, error }`; `nested`: `{ recipient: { email },
	 * reason }`; `text`: the value only inside a sentence, `{ message }`; `index`: `{ index, message }`
	 * without the value; `opaque`: `{ code }`, which names nobody; `lowerCase`: `{ email }` in lower case.
	 */
	errorLogShape:
		| 'field'
		| 'recipientField'
		| 'valueError'
		| 'nested'
		| 'text'
		| 'index'
		| 'opaque'
		| 'lowerCase';
	/**
	 * Unknown `recipientEmails` of a campaign or broadcast ("existing recipients"). Source: what
	 * happens to others is not shown.
	 */
	unknownCampaignEmails: 'refuseCall' | 'ignore';
	/**
	 * Recipients whom no call adds to a group or removes, by ID, with the words that `errorLog` has for each.
	 * Source: Recipient group, `errorLog`: what it lists beside unknown recipients is not shown.
	 */
	lockedRecipients: Record<string, string>;
	/** IDs of people whom the service puts into each new group, such as its creator. Source: not shown. */
	membersOfNewGroups: string[];
	/** A group is shown as it is, or as it was before the last call that changed it. Source: not shown. */
	groupReads: 'current' | 'oneCallBehind';
	/** Unknown references in `recipients` and `lists` of a channel. Source: not shown. */
	unknownChannelRecipients: 'refuseCall' | 'ignore';
	/**
	 * The most records a list returns, whatever `limit` says. Source: Limits names a maximum only
	 * for campaigns and broadcasts; channels and templates have no way to ask for a second page.
	 */
	pageCap: Partial<Record<ListName, number>>;
	/** A `limit` above 1000 for campaigns and broadcasts. Source: Limits, "limit maximum". */
	limitAboveMaximum: 'refuse' | 'clamp';
	/** Page size of the channel lists when no `limit` is sent. Source: Limits has no default for them. */
	channelListDefaultLimit: number;
	/** A list without records: `[]`, `null`, or no `data` at all. Source: envelope, `data` is "object or array". */
	emptyList: 'array' | 'null' | 'absent';
	/** `total` in lists that have it. Source: envelope, "present on some list responses". */
	totalInLists: boolean;
	/** What `total` counts: all records, those of this page, or those from this page on. Source: envelope, only its type is given. */
	totalMeans: 'all' | 'page' | 'rest';
	/**
	 * Where a page after `previousLastId` starts: after that record, with it, or (a service that ignores
	 * the parameter) always at the newest. Source: "to fetch the next", no word on the edges.
	 */
	previousLastIdMeans: 'after' | 'from' | 'nothing';
	/** A service that ignores `skip` gives the first page for ever. Source: not shown what else it may do. */
	skipMeans: 'records' | 'nothing';
	/** The order of recipient groups. Source: not shown. */
	recipientGroupOrder: 'oldestFirst' | 'newestFirst' | 'byName';

	/** A token that has expired. Source: openapi.yaml, What nobody knows. */
	expiredToken: '401' | '403' | '200';
	/** A token or key nobody knows. Source: openapi.yaml, What nobody knows. */
	invalidToken: '401' | '403' | '200';
	/** No Authorization header at all. Source: openapi.yaml, What nobody knows. */
	missingToken: '401' | '403' | '200';
	/** Wrong client credentials at the token endpoint. Source: openapi.yaml, What nobody knows. */
	tokenRefusal: '401' | '400' | '403' | '200';
	/** Body of a refused authentication with 400, 401 or 403. Source: openapi.yaml, What nobody knows. */
	authenticationFailureBody: 'envelope' | 'text' | 'empty';
	/**
	 * Access tokens of one client: each stays good, or a new one makes the older ones unknown at once.
	 * Source: the token operation says nothing about older tokens.
	 */
	tokensPerClient: 'many' | 'one';
	/** `expires_in` of new access tokens, in seconds. Source: Limits, "Access token lifetime". */
	tokenLifetimeSeconds: number;

	/**
	 * HTTP status of `success: false`. Source: openapi.yaml, Failures, says 200; other statuses are tried because a
	 * gateway in between may turn it.
	 */
	errorStatusHttp: 200 | 400;

	/**
	 * How many requests are taken in a span of machine time; the rest get 429. Source: rate limits are not shown,
	 * nor is their response: Retry-After in seconds, as a date, or none.
	 */
	rateLimit: {
		requests: number;
		perMilliseconds: number;
		retryAfter: 'seconds' | 'date' | 'none';
	} | null;

	/** Create without a status but with a time. Source: States, both first and third row apply. */
	absentStatusWithTime: 'live' | 'scheduled' | 'refuse';
	/** Create with status 'scheduled' and a time. Source: States, "State reached: not shown". */
	statusScheduled: 'accept' | 'refuse';
	/** Status code reached by scheduling. Source: States, "State reached: not shown". */
	scheduledState: Extract<CampaignStatus, '0' | '4'>;
	/** Codes of a scheduled and a closed broadcast. Source: "Complete list … not shown". */
	broadcastStatusCodes: { scheduled: string; closed: string };
	/**
	 * Update of a campaign without `description`: taken, refused even for a status alone, or refused unless
	 * the status is all there is. Source: all fields optional, yet Errors says mandatory for update.
	 */
	updateWithoutDescription: 'accept' | 'refuse' | 'refuseUnlessOnlyStatus';
	/** Fields that PUT campaign leaves out stay, or fall back to their defaults. Source: not shown. */
	campaignUpdateAbsent: 'keep' | 'reset';
	/**
	 * Fields that PUT channel leaves out stay, fall back to their defaults, or only `defaults` is replaced as a
	 * whole. Source: not shown.
	 */
	channelUpdateAbsent: 'keep' | 'reset' | 'resetDefaults';
	/**
	 * `status` in the body of a channel broadcast: refused as an unknown field, obeyed, or ignored (it goes out
	 * live). Source: the state table lets it through, the list of fields of the operation has none.
	 */
	channelBroadcastStatus: 'refuse' | 'obey' | 'ignore';
	/** Whether a Super User reads by id what was not shared with them. Source: `all` is named for lists only. */
	superUserReads: 'everything' | 'own';
	/** `categories` as list or as text. Source: Campaigns, type string, rule "category array". */
	categoriesFormat: 'either' | 'array' | 'string';

	/** Answer keys `q.<n>` count from 0 or from 1. Source: Campaign survey data. */
	questionNumbering: QuestionNumbering;
	/** Answers to the first question: shown, or nobody gave one, so that no key proves where the count begins. */
	firstQuestionAnswered: boolean;
	/** Whether rows of an anonymous survey carry userId, userDisplayName and userEmail. Source: not shown. */
	anonymousRowsNamed: boolean;
	/** `result` lists all recipients, or only those who read or responded. Source: not shown. */
	surveyDataLists: 'everybody' | 'whoActed';
	/**
	 * `questions` of survey data: a list, an object by question id, an object by answer key, the titles alone,
	 * `null`, or left out. Source: only the list is shown; the others are for clients that must survive anything.
	 */
	surveyQuestionsForm: 'list' | 'byId' | 'byKey' | 'titles' | 'null' | 'absent';
	/** The key of an option's branch questions that is taken. Source: table and sample of the options differ. */
	optionBranchKey: 'either' | 'branchQuestions' | 'branchQuestionId';
	/** Response of PUT campaign/survey/:id. Source: "Response of this operation: not shown". */
	updateSurveyResponse: 'data' | 'onlySuccess';
	/** Settings after input_color on update. Source: "Fields of surveySettings … not shown". */
	surveySettingsOnUpdate: 'all' | 'upToInputColor';

	/** Group get and list show only this many `leads` while `leadsTotal` is the whole. Source: not shown. */
	leadsTruncated: number | null;
	/** Whether the list of groups carries `leads`. Source: one shape is given for both. */
	leadsInLists: boolean;

	/** Broadcast get and list show title, message and more. Source: "Fields … beyond those listed". */
	extraBroadcastFields: boolean;

	/** How the query `conditions` is sent. Source: "object", and only for recipients "JSON-encoded". */
	conditionsQueryFormat: 'json' | 'deepObject' | 'either';
	/** Elements of `conditions` of channel recipients: JSON or `field=value`. Source: not shown. */
	conditionsFormat: 'json' | 'expression' | 'either';
}

/** The switches as they are when nobody sets them. */
export function defaultSwitches(): Switches {
	return {
		unknownEmails: 'refuseCall',
		unknownIds: 'refuseCall',
		unknownIdsMessage: 'Not all emails founded as recipient in system',
		errorLogShape: 'field',
		unknownCampaignEmails: 'refuseCall',
		lockedRecipients: {},
		membersOfNewGroups: [],
		groupReads: 'current',
		unknownChannelRecipients: 'refuseCall',
		pageCap: {},
		limitAboveMaximum: 'refuse',
		channelListDefaultLimit: 20,
		emptyList: 'array',
		totalInLists: true,
		totalMeans: 'all',
		previousLastIdMeans: 'after',
		skipMeans: 'records',
		recipientGroupOrder: 'oldestFirst',
		expiredToken: '401',
		invalidToken: '401',
		missingToken: '401',
		tokenRefusal: '401',
		authenticationFailureBody: 'envelope',
		tokensPerClient: 'many',
		tokenLifetimeSeconds: 3600,
		rateLimit: null,
		errorStatusHttp: 200,
		absentStatusWithTime: 'live',
		statusScheduled: 'accept',
		scheduledState: '4',
		broadcastStatusCodes: { scheduled: '4', closed: '3' },
		updateWithoutDescription: 'accept',
		campaignUpdateAbsent: 'keep',
		channelUpdateAbsent: 'keep',
		channelBroadcastStatus: 'refuse',
		superUserReads: 'everything',
		categoriesFormat: 'either',
		questionNumbering: 'from0',
		firstQuestionAnswered: true,
		anonymousRowsNamed: false,
		surveyDataLists: 'everybody',
		surveyQuestionsForm: 'list',
		optionBranchKey: 'either',
		updateSurveyResponse: 'data',
		surveySettingsOnUpdate: 'all',
		leadsTruncated: null,
		leadsInLists: true,
		extraBroadcastFields: false,
		conditionsQueryFormat: 'json',
		conditionsFormat: 'either',
	};
}
