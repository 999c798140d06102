/**
 * Which module may use which (docs/development/architecture.md), checked by `npm run lint`. The keys and values of the tables
 * are patterns of paths, from their start. What matches a key uses only what matches the key or its values, also in imports of
 * types. If a file matches several keys, all of them apply.
 */
const action = 'nodes/MessagingService/';
const trigger = 'nodes/MessagingServiceTrigger/';
const shared = 'nodes/shared/';
/** The files of nodes/shared outside transport/ that transport/ may use. They send no requests. */
const sharedBase =
	'nodes/shared/(concurrency|failure|field|serviceMessages|cache|truncate|values|email|date)[.]ts$';
/** The only module of Node.js that n8n's lint allows. The trigger uses it for fingerprints. */
const nodeCrypto = 'crypto$';
/** The only package that n8n provides. It may be linked, so its path may start elsewhere. */
const n8nWorkflow = '(^|/)node_modules/n8n-workflow/';

/** The published package. All of it may use n8n-workflow, and nothing from outside the project. */
const PACKAGE = {
	'credentials/': [shared],
	// nodes/shared serves both nodes and the credential.
	[shared]: [],
	[`${shared}[^/]+$`]: [`${shared}transport/`],
	// The transport knows no resource. Only shared/serviceMessages knows what the messages of the service mean.
	[`${shared}transport/`]: [sharedBase],
	[sharedBase]: [],

	[action]: [shared, nodeCrypto],
	// The engine and the lists know no operation, and Sync no resource.
	[`${action}lists/`]: [shared, nodeCrypto],
	[`${action}engine/`]: [`${action}lists/`, shared, nodeCrypto],
	[`${action}fields/`]: [`${action}(engine|lists)/`, shared, nodeCrypto],
	[`${action}sync/`]: [`${action}(fields|engine)/`, shared, nodeCrypto],
	[`${action}resources/`]: [`${action}(sync|fields|engine|lists)/`, shared, nodeCrypto],
	[`${action}methods/`]: [`${action}(resources|engine|lists)/`, shared, nodeCrypto],

	[trigger]: [shared, nodeCrypto],
	// The modules that decide which rows are new send no requests.
	[`${trigger}(events|items|news|rows|schedule|seen)[.]ts$`]: [
		...[`${trigger}(?!(api|poll|sample|survey)[.])`, `${shared}(?!transport/)`, nodeCrypto],
	],
	// The state does not import the modules that use it.
	[`${trigger}state[.]ts$`]: [`${trigger}(events|rows|seen)[.]ts$`, shared],
	// The module that reads does not use the modules that decide what is new.
	[`${trigger}api[.]ts$`]: [`${trigger}(schedule|settings|state)[.]ts$`, shared],
};

/** Development code. It may use everything from outside the project. */
const DEVELOPMENT = {
	// The emulator shares no code with the node, because the same mistake in both would go unnoticed.
	'emulator/': [],
	'emulator/state/': [],
	// The server does not import the routes.
	'emulator/server/': ['emulator/state/', 'emulator/[^/]+$'],
	// The checks of the service use its document, but no code of the nodes.
	'check-service/': ['emulator/(contract|server/(ajv|guards)|switches)[.]mts$'],
	// The local n8n runs the built package. It imports no test and no source of the package.
	'local-n8n/': ['emulator/[^/]+$'],
	// The folders of the local n8n do not use the files that combine them.
	'local-n8n/[^/]+/': ['emulator/'],
	'local-n8n/terminal/': [],
	'local-n8n/machine/': ['local-n8n/terminal/'],
	'scripts/': ['emulator/[^/]+$', 'dist/'],
	// Only tests of the emulator and of the checks use the modules of the emulator.
	'test/(?!(emulator|check-service)/)': ['(?!emulator/.+/)'],
	'test/kit/': ['(?!test/)'],
	// Other tests use dist/: only unit tests, tests of the package, the benchmark, the kit of surveys and the engine (mutants)
	// use the sources.
	'test/(?!(unit|package|benchmark|kit/survey)/|kit/engine[.]mts$)': ['(?!(nodes|credentials)/)'],
};
const project = '^(nodes|credentials|dist|emulator|check-service|local-n8n|scripts|test)/';

const rules = (table, target, ...more) =>
	Object.entries(table).map(([module, others]) => ({
		name: module,
		comment: `${module} uses only ${others.join(', ') || 'its own files'}.`,
		from: { path: `^${module}` },
		to: { ...target, pathNot: [...[module, ...others].map((pattern) => `^${pattern}`), ...more] },
	}));

module.exports = {
	forbidden: [
		{ name: 'There are no import cycles', from: {}, to: { circular: true } },
		{ name: 'Every import is found', from: {}, to: { couldNotResolve: true } },
		...rules(PACKAGE, {}, n8nWorkflow),
		...rules(DEVELOPMENT, { path: project }),
	].map((rule) => ({ severity: 'error', ...rule })),
	options: {
		// Not analysed, but visible as targets of imports.
		doNotFollow: { path: ['node_modules', '^(dist|[.]local-n8n)/'] },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: {
			extensions: ['.ts', '.mts', '.mjs', '.cjs', '.js', '.json'],
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default', 'types'],
		},
	},
};
