/** Starts a measurement. The returned function returns the CPU time of this process since then, in milliseconds. */
export function countCpuTime(): () => number {
	const before = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	};
}

/**
 * Starts to watch the event loop. The returned function stops watching and returns the CPU time of the longest turn, in
 * milliseconds.
 */
export function watchTurns(): () => number {
	let isWatching = true;
	let longest = 0;
	let turn = countCpuTime();
	const watch = (): void => {
		longest = Math.max(longest, turn());
		turn = countCpuTime();
		if (isWatching) setImmediate(watch);
	};
	setImmediate(watch);
	return () => {
		isWatching = false;
		return longest;
	};
}
