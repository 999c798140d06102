const { dest, parallel, src } = require('gulp');

/** Icons lie in one place in the source and next to it in the package: nodes and credentials name them by a relative path. */
function icons() {
	return src('icons/**/*.{svg,png}', { encoding: false }).pipe(dest('dist/icons'));
}

/** Schemas of operations whose output is their own, next to the compiled node; `scripts/output-schemas.mts` derives the rest. */
function schemas() {
	return src('nodes/**/__schema__/**/*.json', { base: 'nodes' }).pipe(dest('dist/nodes'));
}

exports.icons = icons;
exports.schemas = schemas;
exports.default = parallel(icons, schemas);
