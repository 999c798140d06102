/**
 * Channel status codes, as far as it is known what leads to them (channel.archive and channel.restore in
 * emulator/openapi.yaml).
 */
export const CHANNEL_STATUS = { active: '1', archived: '3' };

/** A status code in words. Only the word for an archived channel is certain. */
export function channelStatusName(code: unknown): string | undefined {
	return code === CHANNEL_STATUS.archived ? 'archived' : undefined;
}
