import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The owner account of one local n8n. */
const loginSchema = z.object({
	email: z.string(),
	password: z.string(),
	firstName: z.string(),
	lastName: z.string(),
});

export type Login = z.infer<typeof loginSchema>;

/** Returns the path of the login file in a user folder. */
export function loginFile(userFolder: string): string {
	return join(userFolder, 'login.json');
}

/**
 * Returns the login of the n8n in a user folder. For a new folder, creates a login with a random password, in a file that
 * only the current user can read.
 */
export async function loginOf(userFolder: string): Promise<Login> {
	const file = loginFile(userFolder);
	if (existsSync(file)) return loginSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	const login: Login = {
		email: 'owner@example.com',
		// n8n requires a capital letter and a digit.
		password: `${randomBytes(18).toString('base64url')}-A1`,
		firstName: 'Olivia',
		lastName: 'Owner',
	};
	await writeFile(file, `${JSON.stringify(login, null, '\t')}\n`, { mode: 0o600 });
	return login;
}
