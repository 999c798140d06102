const { dest, parallel, src } = require('gulp');

/** Icons lie in one place in the source and next to it in the package: nodes and credentials name them by a relative path. */
function icons() {
	return src('icons/**/*.{svg,png}', { encoding: false }).pipe(dest('dist/icons'));
}

/** The editor reads output schemas from a folder next to the compiled node; tsc does not copy them. */
function schemas() {
	return src('nodes/**/__schema__/**/*.json', { base: 'nodes' }).pipe(dest('dist/nodes'));
}

exports.icons = icons;
exports.schemas = schemas;
exports.default = parallel(icons, schemas);
