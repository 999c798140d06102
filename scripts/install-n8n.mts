import { findRedis } from '../sandbox/machine/redis.mts';
import { installN8n } from '../sandbox/n8n/install-n8n.mts';

// Installs what the end-to-end tests need, while other work goes on.
await installN8n('2');
await findRedis();
