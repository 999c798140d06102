import { execa } from 'execa';

/** A process of this machine. */
export interface ProcessInfo {
	pid: number;
	parent: number;
	group: number;
	args: string;
}

/** Returns all running processes of this machine. */
export async function allProcesses(): Promise<ProcessInfo[]> {
	const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,args=']);
	return stdout.split('\n').flatMap((text) => {
		const [, pid, parent, group, stat, args] =
			/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(text) ?? [];
		// A zombie (Z) has already ended.
		if (args === undefined || stat?.startsWith('Z')) return [];
		return [{ pid: Number(pid), parent: Number(parent), group: Number(group), args }];
	});
}

/** Returns a process and its descendants. */
export async function treeOf(pid: number): Promise<ProcessInfo[]> {
	const all = await allProcesses();
	const tree = all.filter((one) => one.pid === pid);
	for (const one of tree) tree.push(...all.filter(({ parent }) => parent === one.pid));
	return tree;
}
