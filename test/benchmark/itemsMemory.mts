/** Runs as a separate process. Measures the additional memory of a node for many items, compared with a few items. */
import '../kit/setup.cjs';

import { httpRequest, ours, runItems } from './contestants.mts';

const FEW = 100;
const [which, baseUrl = '', count] = process.argv[2]?.split(' ') ?? [];

const contestant = which === 'ours' ? ours : httpRequest();
if (!contestant) throw new Error('No n8n is installed');
await runItems(contestant, 'GET', FEW, baseUrl);
const before = process.memoryUsage.rss();
await runItems(contestant, 'GET', Number(count), baseUrl);
const peak = process.resourceUsage().maxRSS * 1024;
process.send?.(peak - before, () => process.exit());
