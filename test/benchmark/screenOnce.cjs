/**
 * A process of its own: the processor time until a node's description is there as the text that the editor gets. Plain
 * JavaScript, so that no compiler stands between n8n's way of loading and this one.
 */
const { existsSync } = require('node:fs');
const { createRequire } = require('node:module');
const { resolve } = require('node:path');

const nodes = {
	ours: {
		from: resolve('package.json'),
		file: resolve('dist/nodes/MessagingService/MessagingService.node.js'),
		name: 'MessagingService',
	},
	other: {
		from: resolve('sandbox/n8n-2/package.json'),
		file: resolve('sandbox/n8n-2/node_modules/n8n-nodes-base/dist/nodes/Slack/Slack.node.js'),
		name: 'Slack',
	},
};

process.once('message', (which) => {
	const { from, file, name } = nodes[which];
	process.send(existsSync(file) ? cpuOf(from, file, name) : null, () => process.exit());
});

function cpuOf(from, file, name) {
	// Every node loads it, so it is counted for none.
	createRequire(from)('n8n-workflow');
	const before = process.cpuUsage();
	const node = new (require(file)[name])();
	const versions = node.nodeVersions ? Object.values(node.nodeVersions) : [node];
	JSON.stringify(versions.at(-1).description);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
