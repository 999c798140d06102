import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { parseAs } from '../kit/typed.mts';

type Step = { name?: string; uses?: string; run?: string; with?: object };
type Job = { permissions?: object; steps: Step[] };

/** Tests what GitHub runs for a tag. What npm does is not tested, because npm needs the owner's account. */
describe('publish.yml', () => {
	const workflow = parseAs<{ permissions: object; jobs: { pack: Job; publish: Job } }>(
		JSON.stringify(parse(readFileSync('.github/workflows/publish.yml', 'utf8'))),
	);
	const { pack, publish } = workflow.jobs;

	/** Runs a step as GitHub does. @throws if one of its commands fails */
	const runStep = ({ steps }: Job, name: string, env: object): string =>
		execFileSync(
			'bash',
			['-eo', 'pipefail', '-c', steps.find((step) => step.name === name)?.run ?? 'exit 1'],
			{ env: { ...process.env, ...env }, encoding: 'utf8' },
		);

	test('allows the npm login only in a job that runs no code of the repository', () => {
		expect(workflow.permissions).toEqual({ contents: 'read' });
		expect(pack.permissions).toBeUndefined();
		expect(publish.permissions).toEqual({ 'id-token': 'write' });
		expect(publish.steps.map(({ uses, name }) => uses?.replace(/@.*/, '') ?? name)).toEqual([
			'actions/setup-node',
			'actions/download-artifact',
			'Publish with provenance',
		]);
		expect(publish.steps[0]?.with).toEqual({ 'node-version': 24 });
	});

	test('refuses a tag that differs from the version, and a repository that package.json does not name', () => {
		const { version, repository } = parseAs<{ version: string; repository: { url: string } }>(
			readFileSync('package.json', 'utf8'),
		);
		const own = /github\.com\/(.+)\.git$/.exec(repository.url)?.[1];
		const check = (tag: string, name?: string) => () =>
			runStep(pack, 'Tag, version and repository agree', {
				GITHUB_REF_NAME: tag,
				GITHUB_REPOSITORY: name,
			});
		expect(check(version, own)).not.toThrow();
		expect(check('99.0.0', own)).toThrow();
		expect(check(version, 'somebody/fork')).toThrow();
	});

	test.each([
		[
			'with a token, for the first version',
			'secret',
			['config set //registry.example.com/:_authToken secret'],
		],
		['without a token', '', []],
	])('publishes the packed tarball with provenance: %s', (_, token, login) => {
		const folder = mkdtempSync(join(tmpdir(), 'npm-'));
		const log = join(folder, 'log');
		writeFileSync(
			join(folder, 'npm'),
			`#!/bin/sh\necho "$*" >> ${log}\necho https://registry.example.com/\n`,
		);
		chmodSync(join(folder, 'npm'), 0o755);
		const path = [folder, process.env.PATH].join(delimiter);
		runStep(publish, 'Publish with provenance', { NPM_TOKEN: token, PATH: path });
		expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
			'config get registry',
			...login,
			'publish ./*.tgz --provenance --access public',
		]);
	});
});
