const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// n8n-core writes its settings into the user's home unless it is told of another folder.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'messaging-service-test-'));
// Of use only to tests that start n8n's binary storage, see binary.mts.
process.env.N8N_DEFAULT_BINARY_DATA_MODE ??= 'filesystem';
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_ENCRYPTION_KEY ??= 'test-only';
