// Loaded into bootstrap.mjs and the TypeScript programs that it starts. Ends the program if its starter (the process that
// started it) was killed, because a killed process cannot end the programs that it started.
import { execFileSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

const checkMs = 1000;

/** Returns the process ID of the starter. If the starter is a shell that npm started, also returns npm's. */
function starters() {
	const parent = process.ppid;
	try {
		const text = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(parent)], {
			encoding: 'utf8',
		});
		const [, grandparent, args] = /^\s*(\d+)\s+(.*)/.exec(text) ?? [];
		if (/ -c .*bootstrap\.mjs/.test(args)) return [parent, Number(grandparent)];
	} catch {
		// Without the program `ps`, for example on Windows, only the parent is known.
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

// Threads of the program also load this file.
if (isMainThread) {
	const [parent, ...others] = starters();
	const timer = setInterval(() => {
		if (process.ppid === parent && others.every(isAlive)) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, checkMs);
	timer.unref();
}
