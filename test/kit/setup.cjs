const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// n8n-core writes its settings into the user's home unless it is told of another folder.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'messaging-service-test-'));
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_ENCRYPTION_KEY ??= 'test-only';
