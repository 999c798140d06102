import { settle } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { DAY_MS } from '../shared/serviceDate';
import { says } from '../shared/serviceMessages';
import { readCampaign } from './api';
import { isTooOld, type Task } from './campaigns';
import { hasPassed, type Poll } from './schedule';
import { readingOf, type CampaignState } from './state';
import type { CampaignResult, Read } from './survey';

/**
 * Returns a campaign after a read. If its last read is due, because it is closed or too old, and fails, adds the time since
 * the last try. A try counts only if the service works otherwise, and at most a day, because n8n may have stood still.
 */
export function countRefusal(poll: Poll, read: CampaignResult): CampaignState {
	const { refused, ...campaign } = read.campaign;
	const isLastRead = campaign.closedAt !== undefined || isTooOld(poll, campaign.live);
	if (read.error === undefined || !isLastRead) return campaign;
	const { startedAt: triedAt, isWorking } = poll;
	const sinceTry = Math.max(triedAt - (refused?.triedAt ?? triedAt), 0);
	const added = isWorking && read.attempt !== 'rateLimited' ? Math.min(sinceTry, DAY_MS) : 0;
	return { ...campaign, refused: { ms: (refused?.ms ?? 0) + added, triedAt } };
}

const MISSING = "does not exist or is not shared with the key's owner";

/** Whether a selected campaign is not a survey, or the service refuses it although it works. */
export function isUnusable({ settings, isWorking }: Poll, { attempt }: CampaignResult): boolean {
	if ('all' in settings.watch) return false;
	return attempt === 'notSurvey' || (attempt === 'refused' && isWorking === true);
}

/** Logs once a day that a campaign cannot be read. */
export function warnOnceADay(poll: Poll, { id, listed }: Task, read: CampaignResult): void {
	const reading = readingOf(poll.memory, id);
	if (!hasPassed(poll, DAY_MS, reading.warnedAt)) return;
	reading.warnedAt = poll.startedAt;
	const isMissing = read.attempt === 'refused' && isUnusable(poll, read) && !listed;
	const problem = isMissing ? MISSING : 'could not be read';
	const text = `Campaign “${reading.name ?? id}” ${problem}: ${messageOf(read.error)}`;
	poll.context.logger.warn(isMissing ? `${text} (remove it from Survey Names or IDs)` : text);
}

/**
 * Returns an error that names campaigns, asking the service for those that are not on the list. Returns `undefined` if there
 * are none, and after a restart, because n8n could switch the workflow off.
 */
export async function unusableError(poll: Poll, unusable: Read[]): Promise<Error | undefined> {
	if (poll.isRestart || unusable.length === 0) return undefined;
	const problems: string[] = [];
	for (const [{ id, listed }, { error }] of unusable) {
		const asked = await settle(async () => listed ?? (await readCampaign(poll, id)));
		const isVisible = 'result' in asked;
		const name = (isVisible && asked.result.name) || readingOf(poll.memory, id).name || id;
		const refusal = isVisible ? 'does not show its responses' : MISSING;
		problems.push(`"${name}" ${says('noSurvey', error) ? 'is not a survey' : refusal}`);
	}
	const said = new Set(unusable.map(([, { error }]) => messageOf(error)));
	return failure(poll.context)(
		problems.join('; '),
		`The trigger reads only surveys that the service shows to the key's owner. Remove all others from Survey Names or IDs, then publish the workflow again. The service says: ${[...said].join(' ')}`,
	);
}
