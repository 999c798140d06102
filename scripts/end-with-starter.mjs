// bootstrap.mjs and the TypeScript programs that it starts load this file. This file ends the
// program if the starter (the process that started the program) was killed. A killed process cannot
// end its programs itself.
import { execFileSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

const checkMs = 1000;

/** Returns the process ID of the starter. If the starter is a shell that npm started, also returns the process ID of npm. */
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

// Threads of the program also load this file, but only the main thread checks.
if (isMainThread) {
	const [parent, ...others] = starters();
	const timer = setInterval(() => {
		if (process.ppid === parent && others.every(isAlive)) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, checkMs);
	timer.unref();
}
