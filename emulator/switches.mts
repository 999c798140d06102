import type { CampaignStatus } from './state/campaign.mts';
import type { QuestionNumbering } from './state/survey.mts';

/** The lists that `pageCap` can limit. */
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
 * Determines the behaviour that the documentation of the service leaves open or contradicts. Each value is a plausible
 * behaviour of the real service; tests use all of them. Switches can be changed at any time and apply from the next request
 * on. Titles in brackets are sections of the documentation.
 */
export interface Switches {
	/**
	 * Unknown emails when group members are added or removed. The call is refused with the documented message, or the known
	 * emails are processed. The unknown ones are then listed in `errorLog` or silently ignored. The documentation describes a
	 * refusal (Errors) and the `errorLog` (Recipient group).
	 */
	unknownEmails: 'refuseCall' | 'errorLog' | 'ignore';
	/** Unknown IDs when group members are added or removed; the documentation does not mention them. */
	unknownIds: 'refuseCall' | 'errorLog' | 'ignore';
	/** Message of a call refused because of unknown IDs. The documentation (Errors) mentions only emails. */
	unknownIdsMessage: string;
	/**
	 * Elements of `errorLog`, whose shape is not documented. `field`: `{ email }` or `{ _id }`; `recipientField`:
	 * `{ recipientEmail, message }` or `{ recipientId, message }`; `valueError`: `{ value, error }`; `nested`:
	 * `{ recipient: { email }, reason }`; `text`: the value inside the text of `{ message }`; `index`: `{ index, message }`
	 * without the value; `opaque`: `{ code }` without the value; `lowerCase`: `{ email }` in lower case.
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
	/** Unknown `recipientEmails` of a campaign or broadcast. The documentation mentions only "existing recipients". */
	unknownCampaignEmails: 'refuseCall' | 'ignore';
	/**
	 * Recipients that cannot be added to groups or removed, by ID, each with its message in `errorLog`. The documentation does
	 * not say what else an `errorLog` lists.
	 */
	lockedRecipients: Record<string, string>;
	/** IDs of people whom the service adds to each new group, such as its creator. Not documented. */
	membersOfNewGroups: string[];
	/** Reads return a group as it is, or as it was before the last change. Not documented. */
	groupReads: 'current' | 'oneCallBehind';
	/** Unknown references in `recipients` and `lists` of a channel. Not documented. */
	unknownChannelRecipients: 'refuseCall' | 'ignore';
	/**
	 * The most records that a list returns, regardless of `limit`. The documentation (Limits) has a maximum only for campaigns
	 * and broadcasts; channels and templates have no second page.
	 */
	pageCap: Partial<Record<ListName, number>>;
	/** A `limit` above 1000 for campaigns and broadcasts. The documentation (Limits) gives only the maximum. */
	limitAboveMaximum: 'refuse' | 'clamp';
	/** Page size of the channel lists when no `limit` is sent. The documentation has no default for them. */
	channelListDefaultLimit: number;
	/** A list without records: `[]`, `null`, or no `data` at all. The documentation says that `data` is "object or array". */
	emptyList: 'array' | 'null' | 'absent';
	/** Whether lists have a `total`. The documentation says "present on some list responses". */
	totalInLists: boolean;
	/** What `total` counts: all records, this page, or this page and later ones. The documentation gives only its type. */
	totalMeans: 'all' | 'page' | 'rest';
	/**
	 * Where a page after `previousLastId` starts: after that record, at it, or (if the service ignores the parameter) at the
	 * newest. The documentation says "to fetch the next", but not where the next page starts.
	 */
	previousLastIdMeans: 'after' | 'from' | 'nothing';
	/** Whether `skip` skips records; a service that ignores it always returns the first page. Not documented. */
	skipMeans: 'records' | 'nothing';
	/** The order of recipient groups. Not documented. */
	recipientGroupOrder: 'oldestFirst' | 'newestFirst' | 'byName';

	/** A token that has expired. See openapi.yaml, Undocumented behaviour. */
	expiredToken: '401' | '403' | '200';
	/** An unknown token or key. See openapi.yaml, Undocumented behaviour. */
	invalidToken: '401' | '403' | '200';
	/** No Authorization header at all. See openapi.yaml, Undocumented behaviour. */
	missingToken: '401' | '403' | '200';
	/** Wrong client credentials at the token endpoint. See openapi.yaml, Undocumented behaviour. */
	tokenRefusal: '401' | '400' | '403' | '200';
	/** Body of a refused authentication with 400, 401 or 403. See openapi.yaml, Undocumented behaviour. */
	authenticationFailureBody: 'envelope' | 'text' | 'empty';
	/**
	 * Access tokens of one client: all stay valid, or a new token revokes the older ones. The documentation does not mention
	 * older tokens.
	 */
	tokensPerClient: 'many' | 'one';
	/** `expires_in` of new access tokens, in seconds. */
	tokenLifetimeSeconds: number;

	/** HTTP status of `success: false`: 200 in openapi.yaml (Failures), but a gateway may change it. */
	errorStatusHttp: 200 | 400;

	/**
	 * The number of requests accepted in a period of machine time. Further requests get 429, with Retry-After in seconds, as a
	 * date, or without it. Rate limits are not documented.
	 */
	rateLimit: {
		requests: number;
		perMilliseconds: number;
		retryAfter: 'seconds' | 'date' | 'none';
	} | null;

	/** Create without a status but with a time. Two rows of the documented table (States) apply. */
	absentStatusWithTime: 'live' | 'scheduled' | 'refuse';
	/** Create with status 'scheduled' and a time. The resulting state is not documented. */
	statusScheduled: 'accept' | 'refuse';
	/** Status code of a scheduled record. Not documented. */
	scheduledState: Extract<CampaignStatus, '0' | '4'>;
	/** Codes of a scheduled and a closed broadcast. Not documented. */
	broadcastStatusCodes: { scheduled: string; closed: string };
	/**
	 * Update of a campaign without `description`: accepted, refused, or refused unless it contains only the status. In the
	 * documentation, all fields are optional, but an error message calls the description mandatory.
	 */
	updateWithoutDescription: 'accept' | 'refuse' | 'refuseUnlessOnlyStatus';
	/** Fields that PUT campaign omits are kept, or reset to their defaults. Not documented. */
	campaignUpdateAbsent: 'keep' | 'reset';
	/**
	 * Fields that PUT channel omits are kept, reset to their defaults, or only those of `defaults` are reset. Not documented.
	 */
	channelUpdateAbsent: 'keep' | 'reset' | 'resetDefaults';
	/**
	 * `status` in the body of a channel broadcast: refused as an unknown field, obeyed, or ignored (the broadcast goes live).
	 * The documentation has it in the table of states, but not among the fields of the operation.
	 */
	channelBroadcastStatus: 'refuse' | 'obey' | 'ignore';
	/**
	 * Whether a Super User can read records by ID that are not shared with them. The documented parameter `all` applies only to
	 * lists.
	 */
	superUserReads: 'everything' | 'own';
	/** `categories` as list or as text. The documentation says type "string", and "category array". */
	categoriesFormat: 'either' | 'array' | 'string';

	/** Whether answer keys `q.<n>` count from 0 or from 1. Not documented. */
	questionNumbering: QuestionNumbering;
	/** Whether anyone answered the first question; otherwise no key shows where the numbering starts. */
	firstQuestionAnswered: boolean;
	/** Whether rows of an anonymous survey carry userId, userDisplayName and userEmail. Not documented. */
	anonymousRowsNamed: boolean;
	/** Whether `result` lists all recipients, or only those who read or responded. Not documented. */
	surveyDataLists: 'everybody' | 'whoActed';
	/**
	 * `questions` of survey data: a list, an object by question ID, an object by answer key, only the titles, `null`, or
	 * absent. Only the list is documented; the other forms test the robustness of clients.
	 */
	surveyQuestionsForm: 'list' | 'byId' | 'byKey' | 'titles' | 'null' | 'absent';
	/** The accepted key of an option's branch questions. The table and the sample in the documentation differ. */
	optionBranchKey: 'either' | 'branchQuestions' | 'branchQuestionId';
	/** Response of PUT campaign/survey/:id. Not documented. */
	updateSurveyResponse: 'data' | 'onlySuccess';
	/** Whether an update accepts the settings that the API document lists after input_color. Not documented. */
	surveySettingsOnUpdate: 'all' | 'upToInputColor';

	/** The most `leads` that a group contains; `leadsTotal` counts all. Not documented. */
	leadsTruncated: number | null;
	/** Whether groups in lists contain `leads`. The documentation gives one shape for lists and single groups. */
	leadsInLists: boolean;

	/** Whether reads of broadcasts contain title, message and more. Not documented. */
	extraBroadcastFields: boolean;

	/**
	 * The accepted format of the query `conditions`. The documentation says "object", and only for recipients "JSON-encoded".
	 */
	conditionsQueryFormat: 'json' | 'deepObject' | 'either';
	/** The accepted format of `conditions` of channel recipients: JSON or `field=value`. Not documented. */
	conditionsFormat: 'json' | 'expression' | 'either';
}

/** Returns the default switches. */
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
