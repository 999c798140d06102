import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { step } from '../terminal/progress.mts';
import { runCommand } from './run-command.mts';

/** A program that is not an npm package. */
export interface SystemProgram {
	title: string;
	/** Possible names on the PATH, best first. */
	names: string[];
	/** The environment variable that may hold the path of the program. */
	variable: string;
	aptPackage: string;
}

/**
 * Returns the path in the program's environment variable. If the variable is not set, searches the PATH for the program's
 * names.
 */
function find({ names, variable }: SystemProgram): string | undefined {
	const given = process.env[variable];
	if (given) {
		if (!existsSync(given)) throw new Error(`${variable} is not a file: ${given}`);
		return given;
	}
	const folders = (process.env.PATH ?? '').split(delimiter);
	return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/**
 * Returns the path of a program. If the program is missing, installs it, but only as root on Debian.
 *
 * @throws an error that says how to install the program by hand
 */
export async function systemProgram(program: SystemProgram): Promise<string> {
	const found = find(program);
	if (found !== undefined) return found;
	const { title, aptPackage, variable } = program;
	const howTo = `${title} was not found. Install it (Debian: apt-get install ${aptPackage}) or set its path: ${variable}=/path/to/${aptPackage}`;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(howTo);
	try {
		await step(`Installing ${title}`, async () => await install(aptPackage));
	} catch (error) {
		throw new Error(`${howTo}\napt-get could not install it.`, { cause: error });
	}
	const installed = find(program);
	if (installed === undefined) throw new Error(howTo);
	return installed;
}

async function install(aptPackage: string): Promise<void> {
	const options = {
		cwd: '/',
		env: {
			DEBIAN_FRONTEND: 'noninteractive',
			// Prevents Debian from starting a server on its default port.
			RUNLEVEL: '1',
		},
	};
	await runCommand('apt-get', ['update', '-qq'], options);
	await runCommand(
		'apt-get',
		['install', '-y', '-qq', '--no-install-recommends', aptPackage],
		options,
	);
}
