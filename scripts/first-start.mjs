// Says what the first npm start takes, before anything is downloaded.
import { spawnSync } from 'node:child_process';

/** The commands that install Python 3, make and a C++ compiler. */
const installCommands = {
	Debian: 'apt-get install python3 make g++',
	Fedora: 'dnf install python3 make gcc-c++',
	macOS: 'xcode-select --install',
	Windows: 'use WSL, then as on Debian',
};

const isThere = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** Returns the lines to print before the first start. */
export function firstStartNotice() {
	const lines = ['The first start takes about ten minutes and 5 GB.'];
	const compilers = ['c++', 'g++', 'clang++'];
	const missing = [
		...['python3', 'make'].filter((program) => !isThere(program)),
		...(compilers.some(isThere) ? [] : ['a C++ compiler']),
	];
	if (missing.length === 0) return lines;
	lines.push(
		`Not found: ${missing.join(', ')}. n8n's database sqlite3 needs them if there is no built one for this machine:`,
		...Object.entries(installCommands).map(([system, command]) => `  ${system}: ${command}`),
	);
	return lines;
}
