const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const SOURCES = ['nodes', 'credentials', 'icons'];

/** Returns the modification times of the files in a folder, in milliseconds. */
function changeTimes(folder) {
	return readdirSync(folder, { recursive: true }).map(
		(file) => statSync(join(folder, file)).mtimeMs,
	);
}

/**
 * The `globalSetup` of the jest projects that run the built package.
 *
 * @throws if the built package is missing or older than its sources
 */
module.exports = function requireFreshBuild() {
	// A compiled file has the time of the build. Copied icons and schemas keep the times of their sources.
	const built = statSync('dist/nodes/MessagingService/MessagingService.node.js', {
		throwIfNoEntry: false,
	});
	if (!built || built.mtimeMs < Math.max(...SOURCES.flatMap(changeTimes))) {
		throw new Error('`dist` is missing or older than the sources: run `npm run build` first.');
	}
};
