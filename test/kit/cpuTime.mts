/** Starts to count processor time: gives back what this process has used since, in milliseconds. A busy machine adds nothing. */
export function countCpuTime(): () => number {
	const before = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	};
}
