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
 * Determines the behaviour that the specification does not show or contradicts. Each value is a plausible behaviour of the
 * real service; tests use all of them. Switches can be changed at any time and apply from the next request on.
 */
export interface Switches {
	/**
	 * Unknown emails when group members are added or removed: the call is refused with the documented message, or the
	 * known ones are processed and the others are listed in `errorLog` or silently ignored.
	 * Source: Errors, "Add or remove group recipients with unknown emails"; Recipient group, `errorLog`.
	 */
	unknownEmails: 'refuseCall' | 'errorLog' | 'ignore';
	/** The same for unknown IDs, which the specification does not mention. */
	unknownIds: 'refuseCall' | 'errorLog' | 'ignore';
	/** Message of a call refused because of unknown IDs. Source: Errors names only emails. */
	unknownIdsMessage: string;
	/**
	 * Elements of `errorLog`. Source: Recipient group, "Shape of errorLog elements: not shown".
	 * `field`: `{ email }` or `{ _id }`; `recipientField`: `{ recipientEmail, message }` or
	 * `{ recipientId, message }`; `valueError`: `{ value, error }`; `nested`: `{ recipient: { email },
	 * reason }`; `text`: the value inside the text of `{ message }`; `index`: `{ index, message }`
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
	/**
	 * Unknown `recipientEmails` of a campaign or broadcast. Source: "existing recipients"; others are not mentioned.
	 */
	unknownCampaignEmails: 'refuseCall' | 'ignore';
	/**
	 * Recipients that cannot be added to groups or removed, by ID, each with its message in `errorLog`.
	 * Source: Recipient group, `errorLog`: the specification does not show what else it lists.
	 */
	lockedRecipients: Record<string, string>;
	/** IDs of people whom the service adds to each new group, such as its creator. Source: not shown. */
	membersOfNewGroups: string[];
	/** Reads return a group as it is, or as it was before the last change. Source: not shown. */
	groupReads: 'current' | 'oneCallBehind';
	/** Unknown references in `recipients` and `lists` of a channel. Source: not shown. */
	unknownChannelRecipients: 'refuseCall' | 'ignore';
	/**
	 * The most records that a list returns, regardless of `limit`. Source: Limits has a maximum only for campaigns and
	 * broadcasts; channels and templates have no second page.
	 */
	pageCap: Partial<Record<ListName, number>>;
	/** A `limit` above 1000 for campaigns and broadcasts. Source: Limits, "limit maximum". */
	limitAboveMaximum: 'refuse' | 'clamp';
	/** Page size of the channel lists when no `limit` is sent. Source: Limits has no default for them. */
	channelListDefaultLimit: number;
	/** A list without records: `[]`, `null`, or no `data` at all. Source: envelope, `data` is "object or array". */
	emptyList: 'array' | 'null' | 'absent';
	/** Whether lists have a `total`. Source: envelope, "present on some list responses". */
	totalInLists: boolean;
	/** What `total` counts: all records, this page, or this page and later ones. Source: envelope, only its type. */
	totalMeans: 'all' | 'page' | 'rest';
	/**
	 * Where a page after `previousLastId` starts: after that record, at it, or (if the service ignores the parameter) at
	 * the newest. Source: "to fetch the next"; the boundary is not specified.
	 */
	previousLastIdMeans: 'after' | 'from' | 'nothing';
	/** Whether `skip` skips records; a service that ignores it always returns the first page. Source: not shown. */
	skipMeans: 'records' | 'nothing';
	/** The order of recipient groups. Source: not shown. */
	recipientGroupOrder: 'oldestFirst' | 'newestFirst' | 'byName';

	/** A token that has expired. Source: openapi.yaml, Undocumented behaviour. */
	expiredToken: '401' | '403' | '200';
	/** An unknown token or key. Source: openapi.yaml, Undocumented behaviour. */
	invalidToken: '401' | '403' | '200';
	/** No Authorization header at all. Source: openapi.yaml, Undocumented behaviour. */
	missingToken: '401' | '403' | '200';
	/** Wrong client credentials at the token endpoint. Source: openapi.yaml, Undocumented behaviour. */
	tokenRefusal: '401' | '400' | '403' | '200';
	/** Body of a refused authentication with 400, 401 or 403. Source: openapi.yaml, Undocumented behaviour. */
	authenticationFailureBody: 'envelope' | 'text' | 'empty';
	/**
	 * Access tokens of one client: all stay valid, or a new one revokes the older ones.
	 * Source: the token operation does not mention older tokens.
	 */
	tokensPerClient: 'many' | 'one';
	/** `expires_in` of new access tokens, in seconds. Source: Limits, "Access token lifetime". */
	tokenLifetimeSeconds: number;

	/**
	 * HTTP status of `success: false`. Source: 200 in openapi.yaml, Failures; a gateway may change it.
	 */
	errorStatusHttp: 200 | 400;

	/**
	 * The number of requests accepted in a period of machine time. Others get 429, with Retry-After in seconds, as a date, or
	 * without it. Source: rate limits and their response are not shown.
	 */
	rateLimit: {
		requests: number;
		perMilliseconds: number;
		retryAfter: 'seconds' | 'date' | 'none';
	} | null;

	/** Create without a status but with a time. Source: States; both the first and the third row apply. */
	absentStatusWithTime: 'live' | 'scheduled' | 'refuse';
	/** Create with status 'scheduled' and a time. Source: States, "State reached: not shown". */
	statusScheduled: 'accept' | 'refuse';
	/** Status code of a scheduled record. Source: States, "State reached: not shown". */
	scheduledState: Extract<CampaignStatus, '0' | '4'>;
	/** Codes of a scheduled and a closed broadcast. Source: "Complete list … not shown". */
	broadcastStatusCodes: { scheduled: string; closed: string };
	/**
	 * Update of a campaign without `description`: accepted, refused, or refused unless it contains only the status.
	 * Source: all fields are optional, but Errors lists it as mandatory for update.
	 */
	updateWithoutDescription: 'accept' | 'refuse' | 'refuseUnlessOnlyStatus';
	/** Fields that PUT campaign omits are kept, or reset to their defaults. Source: not shown. */
	campaignUpdateAbsent: 'keep' | 'reset';
	/**
	 * Fields that PUT channel omits are kept, reset to their defaults, or only those of `defaults` are reset. Source: not
	 * shown.
	 */
	channelUpdateAbsent: 'keep' | 'reset' | 'resetDefaults';
	/**
	 * `status` in the body of a channel broadcast: refused as an unknown field, obeyed, or ignored (the broadcast goes
	 * live). Source: in the table of states, but not in the fields of the operation.
	 */
	channelBroadcastStatus: 'refuse' | 'obey' | 'ignore';
	/** Whether a Super User can read records by ID that are not shared with them. Source: `all` applies only to lists. */
	superUserReads: 'everything' | 'own';
	/** `categories` as list or as text. Source: Campaigns, type string, rule "category array". */
	categoriesFormat: 'either' | 'array' | 'string';

	/** Answer keys `q.<n>` count from 0 or from 1. Source: Campaign survey data. */
	questionNumbering: QuestionNumbering;
	/** Whether anyone answered the first question; otherwise no key shows where the numbering starts. */
	firstQuestionAnswered: boolean;
	/** Whether rows of an anonymous survey carry userId, userDisplayName and userEmail. Source: not shown. */
	anonymousRowsNamed: boolean;
	/** Whether `result` lists all recipients, or only those who read or responded. Source: not shown. */
	surveyDataLists: 'everybody' | 'whoActed';
	/**
	 * `questions` of survey data: a list, an object by question ID, an object by answer key, only the titles,
	 * `null`, or absent. Source: only the list is shown; the others test the robustness of clients.
	 */
	surveyQuestionsForm: 'list' | 'byId' | 'byKey' | 'titles' | 'null' | 'absent';
	/** The accepted key of an option's branch questions. Source: table and sample of the options differ. */
	optionBranchKey: 'either' | 'branchQuestions' | 'branchQuestionId';
	/** Response of PUT campaign/survey/:id. Source: "Response of this operation: not shown". */
	updateSurveyResponse: 'data' | 'onlySuccess';
	/** Settings after input_color on update. Source: "Fields of surveySettings … not shown". */
	surveySettingsOnUpdate: 'all' | 'upToInputColor';

	/** The most `leads` that a group contains; `leadsTotal` counts all. Source: not shown. */
	leadsTruncated: number | null;
	/** Whether groups in lists contain `leads`. Source: one shape is given for both. */
	leadsInLists: boolean;

	/** Whether reads of broadcasts contain title, message and more. Source: "Fields … beyond those listed". */
	extraBroadcastFields: boolean;

	/** The accepted format of the query `conditions`. Source: "object", and only for recipients "JSON-encoded". */
	conditionsQueryFormat: 'json' | 'deepObject' | 'either';
	/** The accepted format of `conditions` of channel recipients: JSON or `field=value`. Source: not shown. */
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
