// Loaded into bootstrap.mjs and each program that it starts. Killed outright, a starter cannot pass the signal on:
// the program notices that it is gone and ends as if it had.
import { execFileSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

const checkMs = 1000;

/** What started this process; npm too, when that is only the shell in which npm runs a script. */
function starters() {
	const parent = process.ppid;
	try {
		const text = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(parent)], {
			encoding: 'utf8',
		});
		const [, grandparent, args] = /^\s*(\d+)\s+(.*)/.exec(text) ?? [];
		if (/ -c .*bootstrap\.mjs/.test(args)) return [parent, Number(grandparent)];
	} catch {
		// No ps, as on Windows: the parent alone has to do.
	}
	return [parent];
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

// Threads of the program load this as well.
if (isMainThread) {
	const [parent, ...others] = starters();
	const timer = setInterval(() => {
		if (process.ppid === parent && others.every(isAlive)) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, checkMs);
	timer.unref();
}
