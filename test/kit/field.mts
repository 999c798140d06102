/** Makes an error whose message shows what it would say to the user. */
export const fail = (message: string, description = ''): Error =>
	new Error(`${message} | ${description}`);

/** What a conversion knows about the field of a value. */
export const fieldCalled = (label: string) => ({ label, timezone: 'UTC', fail });
