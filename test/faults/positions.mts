import { defaultSwitches, type Switches } from '../../emulator/switches.mts';
import { errorLogShapes } from '../kit/groupSync.mts';

/**
 * Every position of every switch of the emulator. A new switch, or a new position of one, is an error of the type check
 * until it stands here.
 */
const POSITIONS = {
	unknownEmails: ['refuseCall', 'errorLog', 'ignore'],
	unknownIds: ['refuseCall', 'errorLog', 'ignore'],
	unknownIdsMessage: ['Some of the ids are unknown'],
	errorLogShape: errorLogShapes,
	unknownCampaignEmails: ['refuseCall', 'ignore'],
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

/** The values of a type that can be listed. */
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
	[Name in keyof Switches]: Exclude<Listable<Switches[Name]>, (typeof POSITIONS)[Name][number]>;
}[keyof Switches];

type None<Found extends never> = Found;

/** A position that is missing here stands in the error of the type check. @public */
export type MissingPositions = None<Missing>;

/** A setting of some switches, the others at their default. */
export type Position = Partial<Switches>;

/** Each position of each switch by itself. */
export const positions: Position[] = Object.entries(POSITIONS).flatMap(([name, values]) =>
	values.map((value) => ({ [name]: value })),
);

/** Every combination of the positions of these switches. */
export function combinationsOf(...names: Array<keyof Switches>): Position[] {
	return names.reduce<Position[]>(
		(combined, name) =>
			combined.flatMap((position) =>
				POSITIONS[name].map((value) => ({ ...position, [name]: value })),
			),
		[{}],
	);
}

/** The switches that have positions here. */
export const switchNames = Object.keys(POSITIONS).sort();

/** A position in words. */
export function nameOf(position: Position): string {
	return Object.entries(position)
		.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join(', ');
}

/** The switches at a position, on their own: what else was set is back at its default. */
export function at(position: Position): Switches {
	return { ...defaultSwitches(), ...structuredClone(position) };
}
