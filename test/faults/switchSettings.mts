import { defaultSwitches, type Switches } from '../../emulator/switches.mts';
import { errorLogShapes } from '../kit/groupSync.mts';

/**
 * The tested values of every switch. It is a type error if a switch is missing, or if a switch with a finite number of
 * possible values lacks one of them.
 */
const VALUES = {
	unknownEmails: ['refuseCall', 'errorLog', 'ignore'],
	unknownIds: ['refuseCall', 'errorLog', 'ignore'],
	unknownIdsMessage: ['Some of the ids are unknown'],
	errorLogShape: errorLogShapes,
	unknownCampaignEmails: ['refuseCall', 'ignore'],
	lockedRecipients: [{}],
	membersOfNewGroups: [[]],
	groupReads: ['current', 'oneCallBehind'],
	unknownChannelRecipients: ['refuseCall', 'ignore'],
	pageCap: [
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
	],
	limitAboveMaximum: ['refuse', 'clamp'],
	channelListDefaultLimit: [1, 20],
	emptyList: ['array', 'null', 'absent'],
	totalInLists: [true, false],
	totalMeans: ['all', 'page', 'rest'],
	previousLastIdMeans: ['after', 'from', 'nothing'],
	skipMeans: ['records', 'nothing'],
	recipientGroupOrder: ['oldestFirst', 'newestFirst', 'byName'],
	expiredToken: ['401', '403', '200'],
	invalidToken: ['401', '403', '200'],
	missingToken: ['401', '403', '200'],
	tokenRefusal: ['401', '400', '403', '200'],
	authenticationFailureBody: ['envelope', 'text', 'empty'],
	tokensPerClient: ['many', 'one'],
	tokenLifetimeSeconds: [1, 3600],
	errorStatusHttp: [200, 400],
	rateLimit: [
		null,
		{ requests: 3, perMilliseconds: 1000, retryAfter: 'seconds' },
		{ requests: 3, perMilliseconds: 1000, retryAfter: 'date' },
		{ requests: 3, perMilliseconds: 1000, retryAfter: 'none' },
	],
	absentStatusWithTime: ['live', 'scheduled', 'refuse'],
	statusScheduled: ['accept', 'refuse'],
	scheduledState: ['0', '4'],
	broadcastStatusCodes: [
		{ scheduled: '4', closed: '3' },
		{ scheduled: '2', closed: '5' },
	],
	updateWithoutDescription: ['accept', 'refuse', 'refuseUnlessOnlyStatus'],
	campaignUpdateAbsent: ['keep', 'reset'],
	channelUpdateAbsent: ['keep', 'reset', 'resetDefaults'],
	channelBroadcastStatus: ['refuse', 'obey', 'ignore'],
	superUserReads: ['everything', 'own'],
	categoriesFormat: ['either', 'array', 'string'],
	questionNumbering: ['from0', 'from1'],
	firstQuestionAnswered: [true, false],
	anonymousRowsNamed: [false, true],
	surveyDataLists: ['everybody', 'whoActed'],
	surveyQuestionsForm: ['list', 'byId', 'byKey', 'titles', 'null', 'absent'],
	optionBranchKey: ['either', 'branchQuestions', 'branchQuestionId'],
	updateSurveyResponse: ['data', 'onlySuccess'],
	surveySettingsOnUpdate: ['all', 'upToInputColor'],
	leadsTruncated: [null, 1],
	leadsInLists: [true, false],
	extraBroadcastFields: [false, true],
	conditionsQueryFormat: ['json', 'deepObject', 'either'],
	conditionsFormat: ['json', 'expression', 'either'],
} as const satisfies { [Name in keyof Switches]: ReadonlyArray<Switches[Name]> };

/** The values of a type if their number is finite, otherwise `never`. */
type Listable<Value> = Value extends string
	? string extends Value
		? never
		: Value
	: Value extends number
		? number extends Value
			? never
			: Value
		: Value extends boolean | null
			? Value
			: never;

type Missing = {
	[Name in keyof Switches]: Exclude<Listable<Switches[Name]>, (typeof VALUES)[Name][number]>;
}[keyof Switches];

type None<Found extends never> = Found;

/** Fails to compile if a value is missing, and the type error names it. @public */
export type MissingValues = None<Missing>;

/** Values of some switches. The other switches have their defaults. */
export type SwitchSettings = Partial<Switches>;

/** One setting for each value of each switch. */
export const singleSettings: SwitchSettings[] = Object.entries(VALUES).flatMap(([name, values]) =>
	values.map((value) => ({ [name]: value })),
);

/** Returns every combination of the values of these switches. */
export function combinationsOf(...names: Array<keyof Switches>): SwitchSettings[] {
	return names.reduce<SwitchSettings[]>(
		(combined, name) =>
			combined.flatMap((settings) => VALUES[name].map((value) => ({ ...settings, [name]: value }))),
		[{}],
	);
}

/** The names of the switches in VALUES. */
export const switchNames = Object.keys(VALUES).sort();

/** Returns switch settings as text for a test name. */
export function describeSettings(settings: SwitchSettings): string {
	return Object.entries(settings)
		.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join(', ');
}

/** Returns all switches: those in `settings` with the given values, the others with their defaults. */
export function switchesWith(settings: SwitchSettings): Switches {
	return { ...defaultSwitches(), ...structuredClone(settings) };
}
