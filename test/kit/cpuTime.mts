/** Starts to measure CPU time. Returns a function that returns the milliseconds this process has used since. */
export function countCpuTime(): () => number {
	const before = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	};
}
