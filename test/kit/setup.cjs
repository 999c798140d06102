const { temporaryFolder } = require('./temporaryFolder.cjs');

// n8n-core writes its settings into the user's home unless it is told of another folder.
process.env.N8N_USER_FOLDER ??= temporaryFolder();
// Of use only to tests that start n8n's binary storage, see binary.mts.
process.env.N8N_DEFAULT_BINARY_DATA_MODE ??= 'filesystem';
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_ENCRYPTION_KEY ??= 'test-only';
