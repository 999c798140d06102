import { isObject } from '../../emulator/server/guards.mts';
import { isNew, notSeen, seen, type Check, type Probe, type Survey } from '../check.mts';
import { idOf } from '../responses.mts';

const NO_SURVEY = 'none of the last 15 campaigns is a survey that the key can read';
const NO_ANSWERS = 'no survey has a submitted response';

const keysOf = (row: object): number[] =>
	Object.keys(row).flatMap((key) => (/^q\.\d+$/.test(key) ? [Number(key.slice(2))] : []));

const submitted = ({ rows }: Survey) => rows.filter((row) => row.submitted === true);

const questionsOf = ({ data: { questions } }: Survey): unknown[] =>
	Array.isArray(questions) ? questions : isObject(questions) ? Object.values(questions) : [];

/** Whether answers count from 0 or 1, or undefined if no answer proves it. */
function numberingOf(surveys: Survey[]): 'from0' | 'from1' | undefined {
	for (const survey of surveys) {
		if (survey.rows.some((row) => keysOf(row).includes(0))) return 'from0';
	}
	const provesOne = (survey: Survey): boolean => {
		const { length } = questionsOf(survey);
		return length > 0 && survey.rows.some((row) => keysOf(row).includes(length));
	};
	return surveys.some(provesOne) ? 'from1' : undefined;
}

/** Describes the types of answers: `rating 5` is a number, `multiselect` a list. */
function answerTypes(surveys: Survey[]): string {
	const types = new Set<string>();
	for (const row of surveys.flatMap(({ rows }) => rows)) {
		for (const key of keysOf(row)) {
			const answer = row[`q.${key}`];
			types.add(Array.isArray(answer) ? 'list' : answer === null ? 'null' : typeof answer);
		}
	}
	return [...types].sort().join(', ');
}

/** The form of a date: every digit becomes 0. */
const formOf = (date: unknown): string => String(date).replace(/\d/g, '0');

async function groupsInFull(probe: Probe) {
	const groups = [];
	for (const group of (await probe.groups()).slice(0, 4)) {
		const { data } = await probe.read('recipientGroup.get', { ids: [idOf(group)] });
		if (isObject(data)) groups.push(data);
	}
	return groups;
}

export const recordChecks: Check[] = [
	{
		asks: 'Do answers count from q.0 or q.1?',
		decides: 'questionNumbering',
		needs: 'reads',
		look: async (probe) => {
			const surveys = await probe.surveys();
			if (surveys.length === 0) return notSeen(NO_SURVEY);
			const numbering = numberingOf(surveys);
			return numbering === undefined
				? notSeen('no answer has the number 0 or that of the last question')
				: seen(numbering === 'from0' ? 'From q.0' : 'From q.1', numbering);
		},
	},
	{
		asks: 'Has anybody answered the first question of a survey?',
		decides: 'firstQuestionAnswered',
		needs: 'reads',
		look: async (probe) => {
			const surveys = await probe.surveys();
			if (!surveys.some((survey) => submitted(survey).length > 0)) return notSeen(NO_ANSWERS);
			const first = numberingOf(surveys) === 'from1' ? 1 : 0;
			const has = surveys.some(({ rows }) => rows.some((row) => keysOf(row).includes(first)));
			return seen(has ? 'Yes' : 'As far as numbers show, nobody has', has);
		},
	},
	{
		asks: 'Do rows of an anonymous survey name people?',
		decides: 'anonymousRowsNamed',
		needs: 'reads',
		look: async (probe) => {
			const anonymous = (await probe.surveys()).filter(({ data }) => data.anonymous === true);
			const rows = anonymous.flatMap(({ rows }) => rows);
			if (rows.length === 0) return notSeen('no anonymous survey has a row');
			const named = rows.some((row) => Boolean(row.userId ?? row.userEmail ?? row.userDisplayName));
			return seen(named ? 'Yes, so the nodes take the names away' : 'No', named);
		},
	},
	{
		asks: 'Does survey data list everybody, or only who acted?',
		decides: 'surveyDataLists',
		needs: 'reads',
		look: async (probe) => {
			const surveys = await probe.surveys();
			if (surveys.length === 0) return notSeen(NO_SURVEY);
			const acted = (row: Record<string, unknown>) => row.read === true || row.submitted === true;
			if (surveys.some(({ rows }) => rows.some((row) => !acted(row)))) {
				return seen('Everybody: some rows show that the person did nothing', 'everybody');
			}
			for (const { id, rows } of surveys) {
				const { data } = await probe.read('campaign.getReport', { ids: [id] });
				const count = isObject(data) ? data.recipientsAmount : undefined;
				if (typeof count !== 'number' || count === 0) continue;
				return rows.length < count
					? seen(`${rows.length} rows for ${count} recipients, all of whom acted`, 'whoActed')
					: notSeen('every recipient acted');
			}
			return notSeen('no report of a survey counts its recipients');
		},
	},
	{
		asks: 'Which form have the `questions` of survey data?',
		decides: 'surveyQuestionsForm',
		needs: 'reads',
		look: async (probe) => {
			const [survey] = await probe.surveys();
			if (!survey) return notSeen(NO_SURVEY);
			const { questions } = survey.data;
			if (questions === undefined) return seen('They are absent', 'absent');
			if (questions === null) return seen('They are null', 'null');
			if (Array.isArray(questions)) {
				if (questions.length === 0) return notSeen('the survey has no question');
				return questions.every(isObject)
					? seen('A list of objects', 'list')
					: questions.every((one) => typeof one === 'string')
						? seen('A list of titles', 'titles')
						: isNew('A list of something else');
			}
			if (!isObject(questions)) return isNew(`A ${typeof questions}`);
			return Object.keys(questions).every((key) => /^q\.\d+$/.test(key))
				? seen('An object by answer key', 'byKey')
				: seen('An object by ID', 'byId');
		},
	},
	{
		asks: 'Which types have answers?',
		needs: 'reads',
		look: async (probe) => {
			const types = answerTypes(await probe.surveys());
			return types === '' ? notSeen(NO_ANSWERS) : seen(types);
		},
	},
	{
		asks: 'How many members does a group show in `leads`?',
		decides: 'leadsTruncated',
		needs: 'reads',
		look: async (probe) => {
			let most: number | undefined;
			for (const { leads, leadsTotal } of await groupsInFull(probe)) {
				if (!Array.isArray(leads) || typeof leadsTotal !== 'number') continue;
				if (leads.length < leadsTotal) {
					return seen(`Only ${leads.length} of ${leadsTotal}`, leads.length);
				}
				most = Math.max(most ?? 0, leadsTotal);
			}
			return most === undefined || most < 2
				? notSeen('no group has two members')
				: seen(`All, up to ${most} of ${most}`, null);
		},
	},
	{
		asks: 'Do groups in a list have `leads`?',
		decides: 'leadsInLists',
		needs: 'reads',
		look: async (probe) => {
			const groups = await probe.groups();
			if (groups.length === 0) return notSeen('there is no group');
			const has = groups.some((group) => 'leads' in group);
			return seen(has ? 'Yes' : 'No', has);
		},
	},
	{
		asks: 'Do broadcasts show their title and message?',
		decides: 'extraBroadcastFields',
		needs: 'reads',
		look: async (probe) => {
			const [broadcast] = await probe.broadcasts();
			if (!broadcast) return notSeen('there is no broadcast');
			const { data } = await probe.read('broadcast.get', { ids: [idOf(broadcast)] });
			if (!isObject(data)) return notSeen('the broadcast cannot be read');
			const has = 'title' in data || 'message' in data;
			return seen(has ? 'Yes' : 'No', has);
		},
	},
	{
		asks: 'Which codes have scheduled and closed broadcasts?',
		decides: 'broadcastStatusCodes',
		needs: 'reads',
		look: async (probe) => {
			const codes: { scheduled?: string; closed?: string } = {};
			for (const { status, liveDate } of await probe.broadcasts()) {
				if (typeof status !== 'string' || status === '0' || status === '1') continue;
				const isPlanned = Date.parse(String(liveDate)) > Date.now();
				codes[isPlanned ? 'scheduled' : 'closed'] = status;
			}
			const { scheduled, closed } = codes;
			if (scheduled !== undefined && closed !== undefined) {
				return seen(`Scheduled ${scheduled}, closed ${closed}`, { scheduled, closed });
			}
			const shown = scheduled ?? closed;
			return notSeen(
				shown === undefined
					? 'no broadcast is scheduled or closed'
					: `the list shows only ${scheduled ? 'scheduled' : 'closed'} ones, with the code ${shown}`,
			);
		},
	},
	{
		asks: 'How are dates written, and do the clocks agree?',
		needs: 'reads',
		look: async (probe) => {
			const [campaign] = (await probe.campaigns()).filter(({ liveDate }) => liveDate);
			const [row] = (await probe.surveys()).flatMap(submitted);
			const { headers, at } = await probe.read('profile.get');
			const date = Date.parse(headers.date ?? '');
			const clock = Number.isNaN(date)
				? 'no Date header'
				: `the service's clock differs by ${Math.round((date - at) / 1000)} s`;
			const forms = [campaign?.liveDate, row?.submittedDate].filter(Boolean).map(formOf);
			return seen(`${[...new Set(forms)].join(' and ') || 'no date seen'}; ${clock}`);
		},
	},
];
