import { isObject } from '../../emulator/server/guards.mts';
import { idOf } from '../created.mts';
import { asking, isNew, need, seen, type Check, type Seen, type Survey } from '../probe.mts';
import type { Exchange, Row } from '../service.mts';

const reads = asking('reads');

const UNKNOWN_ID = '0'.repeat(24);

/** A key that no service has issued. */
const WRONG_KEY = 'n8n-check-wrong-key';

const isSubmitted = (row: Row) => row.submitted === true;

const hasAnswer = (surveys: Survey[], numberOf: (survey: Survey) => number): boolean =>
	surveys.some((survey) => survey.rows.some((row) => `q.${numberOf(survey)}` in row));

/** Whether answers count from 0 or 1, or undefined if no answer proves it. */
function numberingOf(surveys: Survey[]): 'from0' | 'from1' | undefined {
	if (hasAnswer(surveys, () => 0)) return 'from0';
	// If the numbers start at 1, the last one is the number of questions.
	const last = ({ data }: Survey) => Object.keys(data.questions ?? []).length || -1;
	return hasAnswer(surveys, last) ? 'from1' : undefined;
}

/** Names the form of `questions`, or undefined if no switch has it. */
function formOf(questions: unknown): string | undefined {
	if (questions === undefined) return 'absent';
	if (questions === null) return 'null';
	if (Array.isArray(questions)) {
		if (questions.every(isObject)) return 'list';
		return questions.every((one) => typeof one === 'string') ? 'titles' : undefined;
	}
	if (!isObject(questions)) return undefined;
	return Object.keys(questions).every((key) => /^q\.\d+$/.test(key)) ? 'byKey' : 'byId';
}

/** How a request with a missing or wrong key is refused. */
function statusOf(exchange: Exchange, known = [200, 401, 403]): Seen {
	const { ok, said } = exchange;
	const status = need(exchange.status, said);
	const isKnown = !ok && known.includes(status);
	return isKnown ? seen(String(status), said) : isNew(ok ? 'it is accepted' : said);
}

/** Counts the requests between two refusals with HTTP 429, and reads what these say. */
function rateLimitIn(exchanges: Exchange[]): Seen {
	const refused = exchanges.flatMap(({ status }, index) => (status === 429 ? [index] : []));
	const [first] = refused;
	if (first === undefined) return seen(null, `all of ${exchanges.length}, at most four a second`);
	const gaps = refused.slice(1).map((index, n) => index - (refused[n] ?? 0) - 1);
	const requests = Math.max(1, ...(gaps.length > 0 ? gaps : [first]));
	const after = exchanges[first]?.headers['retry-after'];
	const retryAfter = after === undefined ? 'none' : /^\d+$/.test(after) ? 'seconds' : 'date';
	const started = exchanges[Math.max(0, first - requests)]?.at ?? 0;
	const perMilliseconds = Math.max(1000, (exchanges[first]?.at ?? 0) - started);
	return seen({ requests, perMilliseconds, retryAfter }, 'between two refusals with HTTP 429');
}

export const recordQuestions = {
	questionNumbering: reads('Do answers count from q.0 or q.1?', async (probe) => {
		const numbering = numberingOf(await probe.surveys());
		const none = 'no answer has the number 0 or that of the last question';
		return seen(need(numbering, none), 'an answer proves it');
	}),
	firstQuestionAnswered: reads('Is a first question answered?', async (probe) => {
		const surveys = await probe.surveys();
		const isAnswered = surveys.some(({ rows }) => rows.some(isSubmitted));
		need(isAnswered, 'no survey has a submitted response');
		const first = numberingOf(surveys) === 'from1' ? 1 : 0;
		const has = hasAnswer(surveys, () => first);
		return seen(has, 'as far as the numbers show');
	}),
	anonymousRowsNamed: reads('Do anonymous rows name people?', async (probe) => {
		const anonymous = (await probe.surveys()).filter(({ data }) => data.anonymous === true);
		const rows = anonymous.flatMap((survey) => survey.rows);
		need(rows.length > 0, 'no anonymous survey has a row');
		const names = (row: Row) => Boolean(row.userId ?? row.userEmail ?? row.userDisplayName);
		return seen(rows.some(names), `in ${rows.length} rows`);
	}),
	surveyDataLists: reads('Does survey data list everybody?', async (probe) => {
		const surveys = await probe.surveys();
		const hasActed = (row: Row) => row.read === true || isSubmitted(row);
		if (surveys.some(({ rows }) => !rows.every(hasActed))) {
			return seen('everybody', 'some rows show that the person did nothing');
		}
		for (const { id, rows } of surveys) {
			const { record } = await probe.read('campaign.getReport', { ids: [id] });
			const count = Number(record.recipientsAmount);
			if (rows.length < count) return seen('whoActed', `${rows.length} rows, ${count} recipients`);
		}
		throw new Error('every recipient acted, or no report counts them');
	}),
	surveyQuestionsForm: reads('Which form have `questions`?', async (probe) => {
		const [survey] = await probe.surveys();
		const questions = survey?.data.questions;
		need(!Array.isArray(questions) || questions.length > 0, 'the survey has no question');
		const form = formOf(questions);
		return form === undefined ? isNew(`another: ${typeof questions}`) : seen(form, 'of one survey');
	}),
	leadsTruncated: reads('Does a group show all its members?', async (probe) => {
		let most = 0;
		for (const group of (await probe.first('recipientGroup')).slice(0, 4)) {
			const { record } = await probe.read('recipientGroup.get', { ids: [idOf(group)] });
			const { leads, leadsTotal } = record;
			if (!Array.isArray(leads) || typeof leadsTotal !== 'number') continue;
			if (leads.length < leadsTotal) return seen(leads.length, `of ${leadsTotal}`);
			most = Math.max(most, leadsTotal);
		}
		need(most >= 2, 'no group has two members');
		return seen(null, `all, up to ${most}`);
	}),
	leadsInLists: reads('Do groups in a list have `leads`?', async (probe) => {
		const groups = await probe.first('recipientGroup');
		need(groups.length > 0, 'there is no group');
		return seen(
			groups.some((group) => 'leads' in group),
			`in ${groups.length} groups`,
		);
	}),
	exclusiveInLists: reads('Do groups in a list say whether they are exclusive?', async (probe) => {
		const groups = await probe.first('recipientGroup');
		need(groups.length > 0, 'there is no group');
		const isSaid = groups.every((group) => typeof group.exclusive === 'boolean');
		const { length } = groups.filter(({ exclusive }) => exclusive === true);
		return seen(isSaid, `${length} of ${groups.length} groups are exclusive`);
	}),
	extraBroadcastFields: reads('Do broadcasts show title and text?', async (probe) => {
		const [broadcast] = await probe.first('broadcast');
		const { data } = await probe.read('broadcast.get', { ids: [idOf(broadcast) || 'none'] });
		const shown = need(isObject(data) && data, 'no broadcast can be read');
		return seen('title' in shown || 'message' in shown, 'in the newest one');
	}),
	broadcastStatusCodes: reads('Codes of scheduled and closed ones?', async (probe) => {
		const codes: Record<string, string> = {};
		for (const { status, liveDate } of await probe.first('broadcast')) {
			if (typeof status !== 'string' || ['0', '1'].includes(status)) continue;
			codes[Date.parse(String(liveDate)) > Date.now() ? 'scheduled' : 'closed'] = status;
		}
		const text = JSON.stringify(codes);
		need('scheduled' in codes && 'closed' in codes, `the list does not show both: ${text}`);
		return seen(codes, 'by their dates');
	}),
	errorStatusHttp: reads('Which HTTP status has a failure?', async (probe) => {
		const answers: string[] = [];
		for (const resource of ['campaign', 'broadcast', 'recipientGroup', 'channel']) {
			const { said } = await probe.read(`${resource}.get`, { ids: [UNKNOWN_ID] });
			answers.push(`unknown ${resource}: ${said}`);
		}
		const { ok, status, said } = await probe.read('campaign.get', { ids: [UNKNOWN_ID] });
		const known = need(status, said);
		const how = answers.join('; ');
		return !ok && [200, 400].includes(known) ? seen(known, how) : isNew(how);
	}),
	missingToken: reads('How is a request without a key refused?', async (probe) =>
		statusOf(await probe.read('profile.get', { key: null })),
	),
	invalidToken: reads('How is a wrong key refused?', async (probe) =>
		statusOf(await probe.read('profile.get', { key: WRONG_KEY })),
	),
	authenticationFailureBody: reads('What is the body then?', async (probe) => {
		const { status, body, said } = await probe.read('profile.get', { key: WRONG_KEY });
		need(status !== undefined && status !== 200, `the refusal is ${said}`);
		if (isObject(body) && body.success === false) return seen('envelope', said);
		if (body === '') return seen('empty', said);
		return typeof body === 'string' && !/^\s*</.test(body) ? seen('text', said) : isNew(said);
	}),
	tokenRefusal: reads('How is a wrong OAuth client refused?', async ({ service }) => {
		const { exchange } = await service.requestToken(WRONG_KEY);
		return statusOf(exchange, [200, 400, 401, 403]);
	}),
	tokenLifetimeSeconds: reads('How long is an access token valid?', async ({ service }) => {
		const { seconds, exchange } = await service.requestToken();
		await service.signIn();
		return seen(need(Number(seconds), exchange.said), 'expires_in, in seconds');
	}),
	tokensPerClient: reads('Does a new access token revoke older ones?', async ({ service }) => {
		const [older, newer] = [await service.requestToken(), await service.requestToken()];
		need(older.token !== newer.token, 'the service returns the same token again');
		const { ok } = await service.call('profile.get', { key: older.token });
		await service.signIn();
		return seen(ok ? 'many' : 'one', `the older token is ${ok ? 'accepted' : 'refused'}`);
	}),
	rateLimit: reads('How many requests are accepted in a time?', ({ service }) =>
		rateLimitIn(service.exchanges),
	),
};

/** Questions that no switch depends on. */
export const moreReads: Check[] = [
	reads('Which endpoints can be read?', async (probe) => ({
		how: `${await probe.everything()}, each with the first records`,
	})),
	reads('How are dates written, and do the clocks agree?', async (probe) => {
		const [campaign] = (await probe.first('campaign')).filter(({ liveDate }) => liveDate);
		const form = String(campaign?.liveDate).replace(/\d/g, '0');
		const { headers, at } = await probe.read('profile.get');
		const seconds = Math.round((Date.parse(headers.date ?? '') - at) / 1000);
		return { how: `${form}; the service's clock differs by ${seconds} s` };
	}),
];
