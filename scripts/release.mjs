// `npm run release -- <version | patch | minor | major>` updates the version, the changelog and the
// reference. Then this script commits, tags and pushes. The pushed tag starts publish.yml, which
// publishes the package. --no-push skips the push.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
	options: { 'no-push': { type: 'boolean', default: false } },
	allowPositionals: true,
});
const [version] = positionals;
const pushes = !values['no-push'];
const run = (file, ...args) => execFileSync(file, args, { encoding: 'utf8' }).trim();

if (!version || run('git', 'status', '--porcelain') !== '') {
	console.error(
		version ? 'Commit your changes first.' : 'Which version? patch, minor, major, 1.2.3',
	);
	process.exit(2);
}
const changelog = readFileSync('CHANGELOG.md', 'utf8');
if (!/^## Unreleased\n+[^#\n]/m.test(changelog)) {
	console.error('CHANGELOG.md has nothing under "Unreleased".');
	process.exit(2);
}
if (pushes) run('git', 'push', '--dry-run', '--follow-tags');
// The first release uses the version in package.json.
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
const { version: released } = JSON.parse(readFileSync('package.json', 'utf8'));
const today = new Date().toISOString().slice(0, 10);
writeFileSync(
	'CHANGELOG.md',
	changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${released} - ${today}\n`),
);
run('npm', 'run', 'docs');
run('git', 'add', '--all');
run('git', 'commit', '--message', `Release ${released}`);
run('git', 'tag', '--annotate', released, '--message', `Release ${released}`);
if (pushes) run('git', 'push', '--follow-tags');
console.log(`✓ ${released}`);
