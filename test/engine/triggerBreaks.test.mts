import { EACH_BREAK } from '../kit/triggerBreaks.mts';
import { live } from '../kit/triggerHistories.mts';

test.each(EACH_BREAK)('$name', async ({ setting, before, first, after }) => {
	expect(await live(setting, before, first, after)).toEqual([]);
});
