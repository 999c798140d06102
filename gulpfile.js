const { dest, parallel, src } = require('gulp');

/** Copies the icons, which nodes and credentials name by a relative path. */
function icons() {
	return src('icons/**/*.{svg,png}', { encoding: false }).pipe(dest('dist/icons'));
}

/** Copies the output schemas of operations without an endpoint; `scripts/output-schemas.mts` derives the others. */
function schemas() {
	return src('nodes/**/__schema__/**/*.json', { base: 'nodes' }).pipe(dest('dist/nodes'));
}

exports.icons = icons;
exports.schemas = schemas;
exports.default = parallel(icons, schemas);
