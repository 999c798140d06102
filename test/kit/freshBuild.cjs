const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const SOURCES = ['nodes', 'credentials', 'icons'];

/** When the files of a folder were last changed, in milliseconds. */
function changeTimes(folder) {
	return readdirSync(folder, { recursive: true }).map(
		(file) => statSync(join(folder, file)).mtimeMs,
	);
}

/** jest's `globalSetup` of projects that run the built package: stops the run when the sources have changed since. */
module.exports = function requireFreshBuild() {
	// The compiler writes every file anew; the icons and schemas that are copied keep their times.
	const built = statSync('dist/nodes/MessagingService/MessagingService.node.js', {
		throwIfNoEntry: false,
	});
	if (!built || built.mtimeMs < Math.max(...SOURCES.flatMap(changeTimes))) {
		throw new Error('`dist` is missing or older than the sources: run `npm run build` first.');
	}
};
