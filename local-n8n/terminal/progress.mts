/**
 * Runs a long step. Prints its title, and at its end how long it took and what `done` says of the result.
 *
 * @throws the error of `work`, with the title of the step
 */
export async function step<T>(
	title: string,
	work: () => Promise<T>,
	done: (result: T) => string = () => 'done',
): Promise<T> {
	const started = Date.now();
	say(`… ${title}`);
	try {
		const result = await work();
		const seconds = ((Date.now() - started) / 1000).toFixed(1);
		say(`✓ ${title} (${seconds} s): ${done(result)}`);
		return result;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${title} failed: ${reason}`, { cause: error });
	}
}

/** Prints a line. */
export function say(text: string): void {
	process.stdout.write(`${text}\n`);
}
