import { startSupervised } from './supervised-process.mts';

const shownLines = 30;
const keptCharacters = 100_000;

/**
 * Runs a command. If this process ends, the command also ends.
 *
 * @throws the last lines of the output if the command fails
 */
export async function runCommand(
	file: string,
	args: string[],
	{ cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<void> {
	let text = '';
	const running = await startSupervised(file, args, {
		cwd,
		env: { ...process.env, ...env },
		output: (chunk) => (text = (text + chunk).slice(-keptCharacters)),
	});
	const code = await running.ended;
	if (code === 0) return;
	const end = text.trimEnd().split('\n').slice(-shownLines).join('\n');
	throw new Error(`${[file, ...args].join(' ')} failed:\n${end || `exit code ${code}`}`);
}
