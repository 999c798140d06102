import { readFileSync } from 'node:fs';

import { breaks } from '../breaks/breaks.mts';

test.each([...breaks.sync, ...breaks.trigger])(
	'the code that is changed for "$name" stands once in $file',
	({ file, from }) => {
		expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
	},
);
