/** Starts to measure CPU time. The returned function tells how much this process has used since then, in milliseconds. */
export function countCpuTime(): () => number {
	const before = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	};
}
