const { rm } = require('node:fs/promises');
const { dest, parallel, src } = require('gulp');

/** Deletes the previous build. Without this step, files whose source is gone would be published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Copies the icons, which nodes and credentials name by a relative path. */
function icons() {
	return src('icons/**/*.{svg,png}', { encoding: false }).pipe(dest('dist/icons'));
}

/** Copies the output schemas of operations without an endpoint. `scripts/output-schemas.mts` derives all others. */
function schemas() {
	return src('nodes/**/__schema__/**/*.json', { base: 'nodes' }).pipe(dest('dist/nodes'));
}

exports.clean = clean;
exports.icons = icons;
exports.schemas = schemas;
exports.default = parallel(icons, schemas);
