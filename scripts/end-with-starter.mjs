import { isMainThread } from 'node:worker_threads';

// Loaded into bootstrap.mjs and each program that it starts. Killed outright, a starter cannot pass the signal on:
// the program notices that it is gone and ends as if it had.
const checkMs = 1000;

// Threads of the program load this as well.
if (isMainThread) {
	const starter = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === starter) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, checkMs);
	timer.unref();
}
