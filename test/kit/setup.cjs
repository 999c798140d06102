const { temporaryFolder } = require('./temporaryFolder.cjs');

// Without this variable, n8n-core writes its settings into the user's home folder.
process.env.N8N_USER_FOLDER ??= temporaryFolder();
// Affects only tests that start n8n's binary storage (binary.mts).
process.env.N8N_DEFAULT_BINARY_DATA_MODE ??= 'filesystem';
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_ENCRYPTION_KEY ??= 'test-only';
