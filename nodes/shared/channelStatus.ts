/** The channel status codes after restoring and after archiving (emulator/openapi.yaml, States). */
export const CHANNEL_STATUS = { active: '1', archived: '3' };

/** Returns `archived` for its code, and `undefined` for all other codes, because their meaning is not certain. */
export function channelStatusName(code: unknown): string | undefined {
	return code === CHANNEL_STATUS.archived ? 'archived' : undefined;
}
