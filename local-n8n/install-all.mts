import { findRedis } from './machine/redis.mts';
import { installN8n } from './n8n/install-n8n.mts';

// Installs what the end-to-end tests need: n8n 2.x and Redis.
await installN8n('2');
await findRedis();
