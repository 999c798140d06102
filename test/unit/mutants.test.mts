import { readFileSync } from 'node:fs';

import { mutants } from '../mutants/mutants.mts';

test.each([...mutants.sync, ...mutants.trigger])(
	'the code that is changed for "$name" stands once in $file',
	({ file, from }) => {
		expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
	},
);
