import { readFileSync } from 'node:fs';

/** Starts a measurement. The returned function returns the CPU time of this process since then, in milliseconds. */
export function countCpuTime(): () => number {
	const before = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	};
}

/**
 * Returns the CPU time of the main thread, in milliseconds. The time of the whole process includes V8's helper threads, which
 * collect garbage and do not block the event loop. Only Linux tells the threads apart.
 */
const mainThreadTime =
	process.platform === 'linux'
		? () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6
		: countCpuTime();

/**
 * Starts to watch the event loop. The returned function stops watching and returns the CPU time of the longest turn, in
 * milliseconds.
 */
export function watchTurns(): () => number {
	let isWatching = true;
	let longest = 0;
	let began = mainThreadTime();
	const watch = (): void => {
		longest = Math.max(longest, mainThreadTime() - began);
		began = mainThreadTime();
		if (isWatching) setImmediate(watch);
	};
	setImmediate(watch);
	return () => {
		isWatching = false;
		return longest;
	};
}
