import { isObject } from '../../emulator/server/guards.mts';
import { ask, decide, isNew, notSeen, seen, shown, type Check, type Survey } from '../check.mts';
import { idOf, type Row } from '../responses.mts';

const NO_SURVEY = notSeen('none of the last 15 campaigns is a survey that the key can read');
const NO_ANSWERS = notSeen('no survey has a submitted response');

const numbersIn = (row: Row): number[] =>
	Object.keys(row).flatMap((key) => (/^q\.\d+$/.test(key) ? [Number(key.slice(2))] : []));

const isSubmitted = (row: Row) => row.submitted === true;

const hasActed = (row: Row) => row.read === true || isSubmitted(row);

const hasAnswer = (surveys: Survey[], numberOf: (survey: Survey) => number): boolean =>
	surveys.some((survey) => survey.rows.some((row) => numbersIn(row).includes(numberOf(survey))));

/** Returns the number of the last question if numbers start at 1, or -1 without questions. */
function lastOf({ data: { questions } }: Survey): number {
	const count = Object.keys(questions ?? []).length;
	return count > 0 ? count : -1;
}

/** Whether answers count from 0 or 1, or undefined if no answer proves it. */
function numberingOf(surveys: Survey[]): 'from0' | 'from1' | undefined {
	if (hasAnswer(surveys, () => 0)) return 'from0';
	return hasAnswer(surveys, lastOf) ? 'from1' : undefined;
}

export const recordChecks: Check[] = [
	decide('questionNumbering', 'reads', 'Do answers count from q.0 or q.1?', async (probe) => {
		const surveys = await probe.surveys();
		if (surveys.length === 0) return NO_SURVEY;
		const numbering = numberingOf(surveys);
		if (numbering) return seen(numbering, 'an answer proves it');
		return notSeen('no answer has the number 0 or that of the last question');
	}),
	decide(
		'firstQuestionAnswered',
		'reads',
		'Has anybody answered a first question?',
		async (probe) => {
			const surveys = await probe.surveys();
			if (!surveys.some(({ rows }) => rows.some(isSubmitted))) return NO_ANSWERS;
			const first = numberingOf(surveys) === 'from1' ? 1 : 0;
			return seen(
				hasAnswer(surveys, () => first),
				'as far as the numbers show',
			);
		},
	),
	decide('anonymousRowsNamed', 'reads', 'Do anonymous rows name people?', async (probe) => {
		const anonymous = (await probe.surveys()).filter(({ data }) => data.anonymous === true);
		const rows = anonymous.flatMap((survey) => survey.rows);
		if (rows.length === 0) return notSeen('no anonymous survey has a row');
		const names = (row: Row) => Boolean(row.userId ?? row.userEmail ?? row.userDisplayName);
		return seen(rows.some(names), `in ${rows.length} rows`);
	}),
	decide('surveyDataLists', 'reads', 'Does survey data list everybody?', async (probe) => {
		const surveys = await probe.surveys();
		if (surveys.length === 0) return NO_SURVEY;
		if (surveys.some(({ rows }) => !rows.every(hasActed))) {
			return seen('everybody', 'some rows show that the person did nothing');
		}
		for (const { id, rows } of surveys) {
			const { data } = await probe.read('campaign.getReport', { ids: [id] });
			const count = isObject(data) ? Number(data.recipientsAmount) : NaN;
			if (rows.length < count) return seen('whoActed', `${rows.length} rows, ${count} recipients`);
		}
		return notSeen('every recipient acted, or no report counts them');
	}),
	decide('surveyQuestionsForm', 'reads', 'Which form have `questions`?', async (probe) => {
		const [survey] = await probe.surveys();
		if (!survey) return NO_SURVEY;
		const { questions } = survey.data;
		if (questions === undefined) return seen('absent', 'there are none');
		if (questions === null) return seen('null', 'null');
		if (Array.isArray(questions)) {
			if (questions.length === 0) return notSeen('the survey has no question');
			if (questions.every(isObject)) return seen('list', 'a list of objects');
			return questions.every((one) => typeof one === 'string')
				? seen('titles', 'a list of texts')
				: isNew('a list of something else');
		}
		if (!isObject(questions)) return isNew(`a ${typeof questions}`);
		const byKey = Object.keys(questions).every((key) => /^q\.\d+$/.test(key));
		return seen(byKey ? 'byKey' : 'byId', 'an object');
	}),
	ask('reads', 'Which types have answers?', async (probe) => {
		const rows = (await probe.surveys()).flatMap((survey) => survey.rows);
		const answers = rows.flatMap((row) => numbersIn(row).map((n) => row[`q.${n}`]));
		const types = answers.map((one) =>
			Array.isArray(one) ? 'list' : one === null ? 'null' : typeof one,
		);
		return types.length === 0 ? NO_ANSWERS : shown([...new Set(types)].sort().join(', '));
	}),
	decide('leadsTruncated', 'reads', 'Does a group show all its members?', async (probe) => {
		let most = 0;
		for (const group of (await probe.first('recipientGroup')).slice(0, 4)) {
			const { data } = await probe.read('recipientGroup.get', { ids: [idOf(group)] });
			const { leads, leadsTotal } = isObject(data) ? data : {};
			if (!Array.isArray(leads) || typeof leadsTotal !== 'number') continue;
			if (leads.length < leadsTotal) return seen(leads.length, `of ${leadsTotal}`);
			most = Math.max(most, leadsTotal);
		}
		return most < 2 ? notSeen('no group has two members') : seen(null, `all, up to ${most}`);
	}),
	decide('leadsInLists', 'reads', 'Do groups in a list have `leads`?', async (probe) => {
		const groups = await probe.first('recipientGroup');
		if (groups.length === 0) return notSeen('there is no group');
		return seen(
			groups.some((group) => 'leads' in group),
			`in ${groups.length} groups`,
		);
	}),
	decide(
		'extraBroadcastFields',
		'reads',
		'Do broadcasts show title and message?',
		async (probe) => {
			const [broadcast] = await probe.first('broadcast');
			const { data } = await probe.read('broadcast.get', { ids: [idOf(broadcast) || 'none'] });
			if (!isObject(data)) return notSeen('no broadcast can be read');
			return seen('title' in data || 'message' in data, 'in the newest one');
		},
	),
	decide(
		'broadcastStatusCodes',
		'reads',
		'Codes of scheduled and closed broadcasts?',
		async (probe) => {
			const codes: Record<string, string> = {};
			for (const { status, liveDate } of await probe.first('broadcast')) {
				if (typeof status !== 'string' || ['0', '1'].includes(status)) continue;
				codes[Date.parse(String(liveDate)) > Date.now() ? 'scheduled' : 'closed'] = status;
			}
			const text = JSON.stringify(codes);
			return 'scheduled' in codes && 'closed' in codes
				? seen(codes, 'by their dates')
				: notSeen(`the list does not show both: ${text}`);
		},
	),
	ask('reads', 'How are dates written, and do the clocks agree?', async (probe) => {
		const dates = [
			(await probe.first('campaign')).find(({ liveDate }) => liveDate)?.liveDate,
			(await probe.surveys()).flatMap(({ rows }) => rows).find(isSubmitted)?.submittedDate,
		].filter(Boolean);
		const forms = new Set(dates.map((date) => String(date).replace(/\d/g, '0')));
		const { headers, at } = await probe.read('profile.get');
		const seconds = Math.round((Date.parse(headers.date ?? '') - at) / 1000);
		return shown(`${[...forms].join(', ')}; the service's clock differs by ${seconds} s`);
	}),
];
