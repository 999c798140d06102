import { readFileSync } from 'node:fs';

import { TURNS_RED } from '../../nodes/MessagingService/sync/outcome.ts';

test('the page of Sync has the table of what turns a run red', () => {
	const page = readFileSync('docs/sync.md', 'utf8');
	const [, table = ''] = page.split('## What turns a run red');
	const rows = [...table.matchAll(/^\| .+? +\| (yes|no) +\|$/gm)];
	expect(rows.map(([, inDryRun]) => inDryRun === 'yes')).toEqual(
		TURNS_RED.map(([, inDryRun]) => inDryRun),
	);
});
