import { execa, type Options } from 'execa';

const shownLines = 30;

/**
 * Runs a command whose output only matters when it fails; then the end of it is the error's text.
 */
export async function runCommand(
	file: string,
	args: string[],
	options: Pick<Options, 'cwd' | 'env'>,
): Promise<void> {
	const result = await execa(file, args, { ...options, all: true, reject: false, stdin: 'ignore' });
	if (!result.failed) return;
	const output = String(result.all ?? '')
		.trimEnd()
		.split('\n')
		.slice(-shownLines)
		.join('\n');
	throw new Error(`${[file, ...args].join(' ')} failed:\n${output || result.shortMessage}`);
}
