import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { step } from '../terminal/progress.mts';
import { runCommand } from './run-command.mts';

/** A program that npm does not bring. */
export interface SystemProgram {
	title: string;
	/** Names it may have on the PATH, the best first. */
	names: string[];
	/** The environment variable that says where it is. */
	variable: string;
	/** The package of Debian and its relatives that brings it. */
	aptPackage: string;
}

/** The program's path: the one of its variable, or the first name found on the PATH; undefined when there is none. */
function find({ names, variable }: SystemProgram): string | undefined {
	const given = process.env[variable];
	if (given) {
		if (!existsSync(given)) throw new Error(`${variable} names no file: ${given}`);
		return given;
	}
	const folders = (process.env.PATH ?? '').split(delimiter);
	return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/**
 * Gives the path of a program, installing it first where we may and know how to: as root on Debian and its
 * relatives. Throws with what to do by hand otherwise.
 */
export async function systemProgram(program: SystemProgram): Promise<string> {
	const found = find(program);
	if (found !== undefined) return found;
	const { title, aptPackage, variable } = program;
	const howTo = `${title} was not found. Install it (Debian: apt-get install ${aptPackage}) or say where it is: ${variable}=/path/to/${aptPackage}`;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(howTo);
	try {
		await step(`Installing ${title}`, async () => await install(aptPackage));
	} catch (error) {
		throw new Error(`${howTo}\napt-get could not bring it.`, { cause: error });
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
			// Debian would start a server on its usual port; we start our own.
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
