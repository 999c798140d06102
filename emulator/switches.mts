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

type RateLimit = {
	requests: number;
	perMilliseconds: number;
	retryAfter: 'seconds' | 'date' | 'none';
} | null;

/** Lists all values of a switch. */
const oneOf = <const Value,>(...values: Value[]): Value[] => values;
/** Lists examples of the values of a switch. The switch accepts any value of their type. */
const open = <Value,>(...values: Value[]): Value[] => values;

/**
 * The switches determine how the emulator behaves where the documentation of the service says nothing or contradicts
 * itself. Each value is a plausible behavior of the real service, and the tests use all values. The first value is the
 * default. Titles in parentheses are sections of the documentation.
 */
export const switchValues = {
	/**
	 * What happens to unknown emails when group members are added or removed. `refuseCall` refuses the call with the
	 * documented message. With the other values, the service processes the known emails, and either lists the unknown
	 * emails in `errorLog` or ignores them. The documentation describes a refusal (Errors) and the `errorLog` (Recipient
	 * group).
	 */
	unknownEmails: oneOf('refuseCall', 'errorLog', 'ignore'),
	/**
	 * What happens to unknown IDs when group members are added or removed. The documentation does not mention unknown IDs.
	 */
	unknownIds: oneOf('refuseCall', 'errorLog', 'ignore'),
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
	 * - `message`: `{ message }`, without the email or ID
	 */
	errorLogShape: oneOf(
		'field',
		'recipientField',
		'valueError',
		'nested',
		'text',
		'index',
		'opaque',
		'lowerCase',
		'message',
	),
	/**
	 * How the service refuses a request with an unknown recipient. By default with the documented message: for addresses of
	 * groups, and for all operations of channels. Other messages are not documented.
	 */
	unknownRecipientSays: open<string>(
		'documented',
		...['Recipient not found', 'User does not exist', 'Unknown recipient', 'USER_NOT_FOUND'],
		...['The system could not find this person', 'Object does not exist', 'Recipient is locked'],
		...['License not found', 'Too many recipients'],
	),
	/** Whether the service still knows people by their former addresses. Not documented. */
	formerAddresses: oneOf('known', 'unknown'),
	/**
	 * What `exclusive` of a recipient group means: nothing, or that its members are in no other group. Whoever joins such a
	 * group then leaves all others, and whoever joins another group leaves it. The documentation gives only the type.
	 */
	exclusiveMeans: oneOf('nothing', 'inNoOtherGroup'),
	/** Whether groups in lists have the field `exclusive`. The documentation gives one shape for lists and single groups. */
	exclusiveInLists: oneOf(true, false),
	/**
	 * What happens to unknown `recipientEmails` of a campaign or broadcast. The documentation mentions only "existing
	 * recipients".
	 */
	unknownCampaignEmails: oneOf('refuseCall', 'ignore'),
	/** What happens to unknown references in `recipients` and `lists` of a channel. Not documented. */
	unknownChannelRecipients: oneOf('refuseCall', 'ignore'),
	/** Which address the list of a channel's recipients shows for a person who was added by another address. Not documented. */
	channelAddressShown: oneOf('primary', 'asAdded'),
	/** Whether the list of a channel's recipients contains people without an email. Not documented. */
	channelListsWithoutEmail: oneOf(true, false),
	/** How many reads after a change still show the recipients of a channel before this change. Not documented. */
	channelListLag: open<number>(0, 1),
	/**
	 * The most records that a list returns, regardless of `limit`. The documentation (Limits) has a maximum only for campaigns
	 * and broadcasts. Channels and templates have no paging, so records beyond this number cannot be listed.
	 */
	pageCap: open<Partial<Record<ListName, number>>>(
		{},
		{ campaign: 1 },
		{ campaign: 3 },
		{ broadcast: 1 },
		{ broadcast: 3 },
		{ recipientGroup: 1 },
		{ recipientGroup: 3 },
		{ channel: 2 },
		{ channelManager: 1 },
		{ channelManagerGroup: 1 },
		{ channelRecipient: 3 },
		{ template: 2 },
	),
	/**
	 * The most records of a list with `skip` and `limit` that can be read on all pages together. `total` counts all records.
	 * Not documented.
	 */
	listedAtMost: open<Partial<Record<ListName, number>>>({}, { channelRecipient: 2 }),
	/**
	 * How a list without records looks: `[]`, `null`, or no `data` at all. For `data`, the documentation says "object or
	 * array".
	 */
	emptyList: oneOf('array', 'null', 'absent'),
	/**
	 * What `total` counts: all records, this page, or this page and later ones. `absent`: lists have no `total`. The
	 * documentation says "present on some list responses".
	 */
	totalMeans: oneOf('all', 'page', 'rest', 'absent'),
	/**
	 * Where the page for `previousLastId` starts: after the record with this ID, at this record, or at the newest record (the
	 * service ignores the parameter). The documentation says only "to fetch the next".
	 */
	previousLastIdMeans: oneOf('after', 'from', 'nothing'),
	/** Whether `skip` skips records. A service that ignores `skip` always returns the first page. Not documented. */
	skipMeans: oneOf('records', 'nothing'),
	/** The order of recipient groups. Not documented. */
	recipientGroupOrder: oneOf('oldestFirst', 'newestFirst', 'byName'),
	/** HTTP status of the response to an expired token. See openapi.yaml, Undocumented behavior. */
	expiredToken: oneOf('401', '400', '403', '200'),
	/** The message of this response. Not documented. */
	expiredTokenMessage: oneOf(
		'Access token expired',
		'jwt expired',
		'Your session has expired',
		'invalid_token',
	),
	/** HTTP status of the response to an unknown token or key. See openapi.yaml, Undocumented behavior. */
	invalidToken: oneOf('401', '403', '200'),
	/** HTTP status of the response to a request without an Authorization header. See openapi.yaml, Undocumented behavior. */
	missingToken: oneOf('401', '403', '200'),
	/** HTTP status of the token endpoint's response to wrong client credentials. Not documented. */
	tokenRefusal: oneOf('401', '400', '403', '200'),
	/** Body of the response to a refused authentication, if its HTTP status is not 200. Not documented. */
	authenticationFailureBody: oneOf('envelope', 'text', 'empty'),
	/**
	 * Whether all access tokens of a client stay valid, or a new token revokes the older ones. The documentation does not
	 * mention older tokens.
	 */
	tokensPerClient: oneOf('many', 'one'),
	/** `expires_in` of new access tokens, in seconds. */
	tokenLifetimeSeconds: open<number>(3600, 1),
	/**
	 * The HTTP status of responses with `success: false`. In openapi.yaml (Failures), this status is 200, but a gateway may
	 * change it.
	 */
	errorStatusHttp: oneOf(200, 400),
	/**
	 * How many requests the service accepts in a period of real time. Further requests get status 429. The Retry-After header
	 * of these responses is a number of seconds, a date, or absent. Rate limits are not documented.
	 */
	rateLimit: open<RateLimit>(
		null,
		{ requests: 3, perMilliseconds: 1000, retryAfter: 'seconds' },
		{ requests: 3, perMilliseconds: 1000, retryAfter: 'date' },
		{ requests: 3, perMilliseconds: 1000, retryAfter: 'none' },
	),
	/**
	 * Whether a record can be created with the status 'scheduled' and a time. The state of a record created with this
	 * status is not documented.
	 */
	statusScheduled: oneOf('accept', 'refuse'),
	/** Status codes of scheduled and closed broadcasts. Not documented. */
	broadcastStatusCodes: open<{ scheduled: string; closed: string }>(
		{ scheduled: '4', closed: '3' },
		{ scheduled: '2', closed: '5' },
	),
	/**
	 * Whether PUT campaign accepts a body without `description`: always, never, or only if `status` is its only field. The
	 * documentation calls all fields optional, but an error message calls the description mandatory.
	 */
	updateWithoutDescription: oneOf('accept', 'refuse', 'refuseUnlessOnlyStatus'),
	/** The accepted format of `categories`. The documentation calls `categories` both "string" and "category array". */
	categoriesFormat: oneOf('either', 'array', 'string'),
	/** Whether answer keys `q.<n>` count from 0 or from 1. Not documented. */
	questionNumbering: oneOf('from0', 'from1'),
	/**
	 * Whether anyone answered the first question. If nobody did, no answer key shows whether the numbers start at 0 or 1.
	 */
	firstQuestionAnswered: oneOf(true, false),
	/** Whether rows of an anonymous survey carry userId, userDisplayName and userEmail. Not documented. */
	anonymousRowsNamed: oneOf(false, true),
	/** Whether `result` lists all recipients, or only people who read or responded. Not documented. */
	surveyDataLists: oneOf('everybody', 'whoActed'),
	/**
	 * The form of `questions` in survey data: a list, an object by question ID, an object by answer key, only the titles,
	 * `null`, or absent. Only the list is documented. The other forms test the robustness of clients.
	 */
	surveyQuestionsForm: oneOf('list', 'byId', 'byKey', 'titles', 'null', 'absent'),
	/** Response of PUT campaign/survey/:id. Not documented. */
	updateSurveyResponse: oneOf('data', 'onlySuccess'),
	/** How many members a response shows at most in `leads`. `leadsTotal` counts all members. Not documented. */
	leadsTruncated: open<number | null>(null, 1),
	/** Whether groups in lists contain `leads`. The documentation gives one shape for lists and single groups. */
	leadsInLists: oneOf(true, false),
	/** Whether reads of broadcasts contain title, message and other content. Not documented. */
	extraBroadcastFields: oneOf(false, true),
};

/** The current values of the switches. A change applies from the next request on. */
export type Switches = {
	[Name in keyof typeof switchValues]: (typeof switchValues)[Name][number];
};

const fromEntries: (entries: [string, unknown][]) => Switches = Object.fromEntries;

/** Returns the default switches. */
export function defaultSwitches(): Switches {
	return fromEntries(
		Object.entries(switchValues).map(([name, [first]]) => [name, structuredClone(first)]),
	);
}
