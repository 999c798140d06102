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
 * Determines how the emulator behaves where the documentation of the service says nothing or contradicts itself. Each value
 * is a plausible behavior of the real service; tests use all values. Switches can be changed at any time and apply from
 * the next request on. Titles in parentheses are sections of the documentation.
 */
export interface Switches {
	/**
	 * Unknown emails when group members are added or removed. `refuseCall` refuses the call with the documented message. The
	 * other values process the known emails, and list the unknown ones in `errorLog` or silently ignore them. The
	 * documentation describes a refusal (Errors) and the `errorLog` (Recipient group).
	 */
	unknownEmails: 'refuseCall' | 'errorLog' | 'ignore';
	/** Unknown IDs when group members are added or removed; the documentation does not mention them. */
	unknownIds: 'refuseCall' | 'errorLog' | 'ignore';
	/** Message of a call refused because of unknown IDs. The documentation (Errors) mentions only emails. */
	unknownIdsMessage: string;
	/**
	 * The shape of the elements of `errorLog`. Not documented.
	 *
	 * - `field`: `{ email }` or `{ _id }`
	 * - `recipientField`: `{ recipientEmail, message }` or `{ recipientId, message }`
	 * - `valueError`: `{ value, error }`
	 * - `nested`: `{ recipient: { email }, reason }` or `{ recipient: { _id }, reason }`
	 * - `text`: `{ message }`, whose text contains the email or ID
	 * - `index`: `{ index, message }`, without the email or ID
	 * - `opaque`: `{ code }`, without the email or ID
	 * - `lowerCase`: like `field`, with the email or ID in lower case
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
	/** IDs of recipients that cannot be added to or removed from groups, with their messages in `errorLog`. Not documented. */
	lockedRecipients: Record<string, string>;
	/** IDs of people whom the service adds to each new group, such as its creator. Not documented. */
	membersOfNewGroups: string[];
	/** Whether reads return a group's current members, or those before the last change. Not documented. */
	groupReads: 'current' | 'oneCallBehind';
	/** Unknown references in `recipients` and `lists` of a channel. Not documented. */
	unknownChannelRecipients: 'refuseCall' | 'ignore';
	/**
	 * The most records that a list returns, regardless of `limit`. The documentation (Limits) has a maximum only for campaigns
	 * and broadcasts. Channels and templates have no paging, so records beyond this number cannot be listed.
	 */
	pageCap: Partial<Record<ListName, number>>;
	/**
	 * Whether the service refuses a `limit` above 1000 for campaigns and broadcasts, or uses 1000. The documentation (Limits)
	 * gives only the maximum.
	 */
	limitAboveMaximum: 'refuse' | 'clamp';
	/** Default page size of a channel's managers, manager groups and recipients. Not documented. */
	channelListDefaultLimit: number;
	/** A list without records: `[]`, `null`, or no `data` at all. The documentation says that `data` is "object or array". */
	emptyList: 'array' | 'null' | 'absent';
	/** Whether lists have a `total`. The documentation says "present on some list responses". */
	totalInLists: boolean;
	/** What `total` counts: all records, this page, or this page and later ones. The documentation gives only its type. */
	totalMeans: 'all' | 'page' | 'rest';
	/**
	 * Where the page for `previousLastId` starts: after the record with this ID, at this record, or at the newest record (the
	 * service ignores the parameter). The documentation says only "to fetch the next".
	 */
	previousLastIdMeans: 'after' | 'from' | 'nothing';
	/** Whether `skip` skips records; a service that ignores it always returns the first page. Not documented. */
	skipMeans: 'records' | 'nothing';
	/** The order of recipient groups. Not documented. */
	recipientGroupOrder: 'oldestFirst' | 'newestFirst' | 'byName';

	/** HTTP status of the response to an expired token. See openapi.yaml, Undocumented behavior. */
	expiredToken: '401' | '403' | '200';
	/** HTTP status of the response to an unknown token or key. See openapi.yaml, Undocumented behavior. */
	invalidToken: '401' | '403' | '200';
	/** HTTP status of the response to a request without an Authorization header. See openapi.yaml, Undocumented behavior. */
	missingToken: '401' | '403' | '200';
	/** HTTP status of the token endpoint's response to wrong client credentials. Not documented. */
	tokenRefusal: '401' | '400' | '403' | '200';
	/** Body of the response to a refused authentication, if its HTTP status is not 200. Not documented. */
	authenticationFailureBody: 'envelope' | 'text' | 'empty';
	/**
	 * Access tokens of one client: all stay valid, or a new token revokes the older ones. The documentation does not mention
	 * older tokens.
	 */
	tokensPerClient: 'many' | 'one';
	/** `expires_in` of new access tokens, in seconds. */
	tokenLifetimeSeconds: number;

	/** HTTP status of responses with `success: false`: 200 in openapi.yaml (Failures), but a gateway may change it. */
	errorStatusHttp: 200 | 400;

	/**
	 * The number of requests accepted in a period of real time. Further requests get status 429. The Retry-After of these
	 * responses is a number of seconds or a date, or it is absent. Rate limits are not documented.
	 */
	rateLimit: {
		requests: number;
		perMilliseconds: number;
		retryAfter: 'seconds' | 'date' | 'none';
	} | null;

	/**
	 * What a request to create a record does if it has a `scheduledTime` but no `status`. Two rows of the documented table
	 * (States) contradict each other.
	 */
	absentStatusWithTime: 'live' | 'scheduled' | 'refuse';
	/**
	 * Whether the service accepts requests to create a record with the status 'scheduled' and a time. The resulting state is
	 * not documented.
	 */
	statusScheduled: 'accept' | 'refuse';
	/** Status code of a scheduled record. Not documented. */
	scheduledState: Extract<CampaignStatus, '0' | '4'>;
	/** Status codes of scheduled and closed broadcasts. Not documented. */
	broadcastStatusCodes: { scheduled: string; closed: string };
	/**
	 * Whether PUT campaign accepts a body without `description`: always, never, or only if `status` is its only field. In the
	 * documentation, all fields are optional, but an error message calls the description mandatory.
	 */
	updateWithoutDescription: 'accept' | 'refuse' | 'refuseUnlessOnlyStatus';
	/** Whether PUT campaign keeps fields missing from the body, or resets them to their defaults. Not documented. */
	campaignUpdateAbsent: 'keep' | 'reset';
	/**
	 * Whether PUT channel keeps fields missing from the body, or resets them to their defaults. `resetDefaults` keeps them,
	 * but if the body contains the object `defaults`, it resets the fields missing from this object. Not documented.
	 */
	channelUpdateAbsent: 'keep' | 'reset' | 'resetDefaults';
	/**
	 * `status` in the body of a channel broadcast: refused as an unknown field, obeyed, or ignored (the broadcast goes live).
	 * The documentation has it in the table of states, but not among the fields of the operation.
	 */
	channelBroadcastStatus: 'refuse' | 'obey' | 'ignore';
	/**
	 * Which campaigns and broadcasts a Super User can read by ID: all, or only their own and those shared with them. The
	 * documented parameter `all` applies only to lists.
	 */
	superUserReads: 'everything' | 'own';
	/** The accepted format of `categories`. The documentation calls it both "string" and "category array". */
	categoriesFormat: 'either' | 'array' | 'string';

	/** Whether answer keys `q.<n>` count from 0 or from 1. Not documented. */
	questionNumbering: QuestionNumbering;
	/** Whether anyone answered the first question. If not, no answer key shows whether the count starts at 0 or 1. */
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
	/**
	 * Whether PUT campaign/survey/:id accepts the settings that follow input_color in SurveySettings (emulator/openapi.yaml).
	 * Not documented.
	 */
	surveySettingsOnUpdate: 'all' | 'upToInputColor';

	/** How many members a response shows at most in `leads`; `leadsTotal` counts all members. Not documented. */
	leadsTruncated: number | null;
	/** Whether groups in lists contain `leads`. The documentation gives one shape for lists and single groups. */
	leadsInLists: boolean;

	/** Whether reads of broadcasts contain title, message and more. Not documented. */
	extraBroadcastFields: boolean;

	/**
	 * The accepted format of the query parameter `conditions`. The documentation calls it an "object"; only for channel
	 * recipients it adds "JSON-encoded".
	 */
	conditionsQueryFormat: 'json' | 'deepObject' | 'either';
	/** The accepted format of `conditions` in a request body (channel recipients): JSON or `field=value`. Not documented. */
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
