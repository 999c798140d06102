const tickMs = 1000;
// Without a terminal (CI), each update is a new line, so updates are rare.
const plainTickMs = 15_000;

function seconds(since: number): string {
	return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Runs a long step and shows its duration. A terminal shows all updates in one line. Any other output shows several
 * lines. `done` may return a short description of the result.
 *
 * @throws the error of `work`, with the title of the step
 */
export async function step<T>(
	title: string,
	work: () => Promise<T>,
	done?: (result: T) => string,
): Promise<T> {
	const started = Date.now();
	const terminal = process.stdout.isTTY;
	const show = (mark: string, text: string, last: boolean) => {
		if (terminal) process.stdout.write(`\r\u001b[2K${mark} ${text}${last ? '\n' : ''}`);
		else process.stdout.write(`${mark} ${text}\n`);
	};
	show('…', title, false);
	const ticker = setInterval(
		() => show('…', `${title} (${seconds(started)})`, false),
		terminal ? tickMs : plainTickMs,
	);
	try {
		const result = await work();
		const words = done?.(result);
		show('✓', `${title} (${seconds(started)})${words ? `: ${words}` : ''}`, true);
		return result;
	} catch (error) {
		show('✗', `${title} (${seconds(started)})`, true);
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${title} failed: ${reason}`, { cause: error });
	} finally {
		clearInterval(ticker);
	}
}

/** Prints a line between steps. */
export function say(text: string): void {
	process.stdout.write(`${text}\n`);
}
