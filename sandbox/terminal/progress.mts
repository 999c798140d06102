const tickMs = 1000;
// Where nobody watches a line change in place (CI), a sign of life now and then is enough.
const plainTickMs = 15_000;

function seconds(since: number): string {
	return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Runs one long step and shows it with the seconds gone by: one line rewritten in place on a
 * terminal, plain lines elsewhere. `done` may add a few words about the outcome.
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
		throw error;
	} finally {
		clearInterval(ticker);
	}
}

/** One line between steps. */
export function say(text: string): void {
	process.stdout.write(`${text}\n`);
}
