/** The known channel status codes (channel.archive and channel.restore in emulator/openapi.yaml). */
export const CHANNEL_STATUS = { active: '1', archived: '3' };

/** Returns the name of a status code; `undefined` for all codes but archived, because their meaning is not certain. */
export function channelStatusName(code: unknown): string | undefined {
	return code === CHANNEL_STATUS.archived ? 'archived' : undefined;
}
