/** The known channel status codes (channel.archive and channel.restore in emulator/openapi.yaml). */
export const CHANNEL_STATUS = { active: '1', archived: '3' };

/** Returns the name of a status code. Only the code of an archived channel is certain. */
export function channelStatusName(code: unknown): string | undefined {
	return code === CHANNEL_STATUS.archived ? 'archived' : undefined;
}
