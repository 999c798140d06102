import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { parseAs } from '../kit/typed.mts';

const shell = (command: string): string =>
	execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const read = (path: string) => readFileSync(path, 'utf8');
const contributing = read('CONTRIBUTING.md');
const { scripts } = parseAs<{ scripts: Record<string, string> }>(read('package.json'));

/** The commands in blocks and between backticks. */
const commands = [
	...contributing.matchAll(/^((?:npm|npx|node) .*?)(?: +#.*)?$/gm),
	...`${contributing}${read('docs/development/commands.md')}`.matchAll(/`(npm [^`]+|\.ci\/run)`/g),
].map(([, command = '']) => command);

const jestCommands = commands.filter((command) => command.includes('jest '));
const npmCommands = [...new Set(commands.filter((command) => command.startsWith('npm ')))];

test.each(jestCommands)('%s selects one suite', (command) => {
	const listing = command
		.replace(/ --inspect-brk| --watchAll| --runInBand/g, '')
		.replace(' -- ', ' --listTests -- ');
	expect(shell(listing).match(/.*\.test\.mts$/gm)).toHaveLength(1);
});

test.each(npmCommands)('%s is a command, with help if a user needs it', (command) => {
	const [, script = '', given = ''] = /^npm (?:run )?([\w:-]+)(?: -- (.*))?$/.exec(command) ?? [];
	expect(scripts).toHaveProperty([script]);
	if (!scripts[script]?.includes('bootstrap')) return;
	const help = shell(`node scripts/bootstrap.mjs ${script} --help`);
	const [option = script] = /^--[\w-]+/.exec(given) ?? [];
	expect(help).toContain(option);
	for (const [path] of given.matchAll(/test\/\S+/g)) expect(existsSync(path)).toBe(true);
});
