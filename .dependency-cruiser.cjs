/**
 * Which module may use which (docs/development/architecture.md), checked by `npm run lint`. `from` and `to` of
 * a rule are folders of the project. The rules also apply to imports of types.
 */
const action = '^nodes/MessagingService/';
const trigger = '^nodes/MessagingServiceTrigger/';
const inside = (...modules) => `^nodes/(${modules.join('|')})/`;
/** The files of nodes/shared outside transport/ that transport/ may use. They send no requests. */
const sharedBase =
	'^nodes/shared/(concurrency|failure|field|serviceMessages|cache|truncate|values|email|date)[.]ts$';
/** The only module of Node.js that n8n's lint allows. The trigger uses it for fingerprints. */
const nodeCrypto = '^crypto$';
/** The only package that n8n provides. It may be linked, so its path may start elsewhere. */
const n8nWorkflow = '(^|/)node_modules/n8n-workflow/';

/** Which modules of the action node a module may use. The engine and the lists know no operation, and Sync no resource. */
const MAY_USE = {
	engine: ['lists'],
	lists: [],
	fields: ['engine', 'lists'],
	sync: ['fields', 'engine'],
	resources: ['sync', 'fields', 'engine', 'lists'],
	methods: ['resources', 'engine', 'lists'],
};

module.exports = {
	forbidden: [
		{
			name: 'no-cycles',
			comment: 'There are no import cycles.',
			from: {},
			to: { circular: true },
		},
		{
			name: 'all-found',
			comment: 'Every import resolves to a file of the project or an installed package.',
			from: {},
			to: { couldNotResolve: true },
		},

		// The published package.
		{
			name: 'node-stays-in-its-folder',
			comment: 'A node uses only its own folder and nodes/shared.',
			from: { path: '^nodes/([^/]+)/', pathNot: inside('shared') },
			to: { pathNot: ['^nodes/$1/', inside('shared'), n8nWorkflow, nodeCrypto] },
		},
		{
			name: 'credential-stays-in-its-folder',
			comment: 'The credential uses only nodes/shared.',
			from: { path: '^credentials/' },
			to: { pathNot: ['^credentials/', inside('shared'), n8nWorkflow] },
		},
		{
			name: 'transport-knows-no-resource',
			comment:
				'The transport knows no resource. Only shared/serviceMessages knows what the messages of the service mean.',
			from: { path: '^nodes/shared/transport/' },
			to: { pathNot: ['^nodes/shared/transport/', sharedBase, n8nWorkflow] },
		},
		{
			name: 'shared-base',
			comment: 'The files in `sharedBase` import only each other and n8n-workflow.',
			from: { path: sharedBase },
			to: { pathNot: [sharedBase, n8nWorkflow] },
		},
		{
			name: 'shared-knows-no-node',
			comment: 'nodes/shared serves both nodes and the credential.',
			from: { path: inside('shared') },
			to: { pathNot: [inside('shared'), n8nWorkflow] },
		},
		{
			name: 'lists-on-top-of-shared',
			comment: 'Files directly in nodes/shared do not use the lists.',
			from: { path: '^nodes/shared/[^/]+$' },
			to: { path: '^nodes/shared/lists/' },
		},

		// The modules of the action node.
		...Object.entries(MAY_USE).map(([module, others]) => ({
			name: `action-${module}`,
			comment: `${module} uses only ${others.join(', ') || 'its own files'} of the action node.`,
			from: { path: `${action}${module}/` },
			to: { path: action, pathNot: `${action}(${[module, ...others].join('|')})/` },
		})),

		// The modules of the trigger.
		{
			name: 'trigger-decides-without-requests',
			comment: 'The modules that decide which rows are new send no requests.',
			from: { path: `${trigger}(events|items|news|rows|schedule|seen)[.]ts$` },
			to: { path: ['^nodes/shared/transport/', `${trigger}(api|poll|sample|survey)[.]ts$`] },
		},
		{
			name: 'trigger-state',
			comment: 'The state does not import the modules that use it.',
			from: { path: `${trigger}state[.]ts$` },
			to: { path: trigger, pathNot: `${trigger}(events|rows|seen)[.]ts$` },
		},
		{
			name: 'trigger-api',
			comment: 'The module that reads does not use the modules that decide what is new.',
			from: { path: `${trigger}api[.]ts$` },
			to: { path: trigger, pathNot: `${trigger}(schedule|settings|state)[.]ts$` },
		},

		// Development code.
		{
			name: 'no-nodes-in-the-emulator',
			comment:
				'The emulator shares no code with the node, because the same mistake in both would go unnoticed.',
			from: { path: '^emulator/' },
			to: { path: '^(nodes|credentials|dist|test|local-n8n|scripts)/' },
		},
		{
			name: 'emulator-state-stands-alone',
			comment: 'The state of the emulator depends on no other module.',
			from: { path: '^emulator/state/' },
			to: { path: '^emulator/', pathNot: '^emulator/state/' },
		},
		{
			name: 'emulator-server-knows-no-route',
			comment: 'The server does not import the routes.',
			from: { path: '^emulator/server/' },
			to: { path: '^emulator/(routes|page)/' },
		},
		{
			name: 'check-service-shares-no-mistake',
			comment: 'The checks of the service use its document, but no code of the nodes.',
			from: { path: '^check-service/' },
			to: {
				path: '^(nodes|credentials|dist|test|local-n8n|scripts|emulator)/',
				pathNot: '^emulator/(server/(contract|guards)|switches)[.]mts$',
			},
		},
		{
			name: 'emulator-through-its-interface',
			comment:
				'Tests, local-n8n and scripts use only emulator/emulator.mts. Only tests of the emulator may use its modules.',
			from: { path: '^(local-n8n|scripts|test)/', pathNot: '^test/(emulator|check-service)/' },
			to: { path: '^emulator/.+/' },
		},
		{
			name: 'local-n8n-folders-know-no-root',
			comment: 'The folders of the local n8n do not use the files that combine them.',
			from: { path: '^local-n8n/[^/]+/' },
			to: { path: '^local-n8n/[^/]+$' },
		},
		{
			name: 'local-n8n-base',
			comment:
				'The folder terminal uses no other folder of the local n8n, and machine uses only terminal.',
			from: { path: '^local-n8n/(terminal|machine)/' },
			to: { path: '^local-n8n/', pathNot: '^local-n8n/(terminal|$1)/' },
		},
		{
			name: 'local-n8n-stands-alone',
			comment:
				'The local n8n runs the built package. It imports no test and no source of the package.',
			from: { path: '^(local-n8n|scripts)/' },
			to: { path: '^(test|nodes|credentials)/' },
		},
		{
			name: 'kit-knows-no-test',
			comment: 'The kit imports no test.',
			from: { path: '^test/kit/' },
			to: { path: '^test/', pathNot: '^test/kit/' },
		},
		{
			name: 'tests-run-the-built-package',
			comment:
				'Tests use dist/. Only these use the sources: unit tests, tests of the package, the benchmark, the kit of surveys and the engine (mutants).',
			from: {
				path: '^test/',
				pathNot: '^test/((unit|package|benchmark|kit/survey)/|kit/engine[.]mts$)',
			},
			to: { path: '^(nodes|credentials)/' },
		},
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
