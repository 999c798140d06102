// Leads a process group and runs a program in it. Kills the group when the starter (the parent process) ends.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const [file = '', ...args] = process.argv.slice(2);

// The system closes this pipe when the starter ends for any reason.
process.stdin.resume();
process.stdin.once('end', () => process.kill(-process.pid, 'SIGKILL'));
// A signal to the process group also reaches the program. Therefore this process ignores signals,
// and ends when the program ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
	process.stderr.write(`${error.message}\n`);
	process.exit(127);
});
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
