/**
 * Which room may use which (docs/architecture.md), checked by `npm run lint`. A rule's `from` and `to` are folders of the
 * project; types count, too, because a reader follows them as well.
 */
const action = '^nodes/MessagingService/';
const trigger = '^nodes/MessagingServiceTrigger/';
const inside = (...rooms) => `^nodes/(${rooms.join('|')})/`;
/** Of nodes/shared, beside transport/: what serves every resource alike. */
const knowsNoResource =
	'^nodes/shared/(concurrency|failure|field|truncate|typeGuards|values)[.]ts$';
/** Of Node.js: n8n's lint allows no more of it, and the trigger takes its fingerprints with it. */
const nodeCrypto = '^crypto$';
/** The only package that ships with n8n for us to use. Packages may lie behind a link, so the path may begin elsewhere. */
const n8nWorkflow = '(^|/)node_modules/n8n-workflow/';

module.exports = {
	forbidden: [
		{
			name: 'no-circle',
			comment: 'Two files that need each other are one idea in two places.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'all-found',
			comment: 'An import leads to a file of the project or an installed package.',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true },
		},

		// What is shipped.
		{
			name: 'node-stays-in-its-folder',
			comment:
				'A node uses its own folder and nodes/shared: never another node, a credential, development code or the build.',
			severity: 'error',
			from: { path: '^nodes/([^/]+)/', pathNot: inside('shared') },
			to: { pathNot: ['^nodes/$1/', inside('shared'), n8nWorkflow, nodeCrypto] },
		},
		{
			name: 'credential-stays-in-its-folder',
			comment: 'The credential uses nodes/shared: it knows no node.',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { pathNot: ['^credentials/', inside('shared'), n8nWorkflow] },
		},
		{
			name: 'transport-knows-no-resource',
			comment:
				'What talks to the service uses what knows no resource, and nothing else: nor does it know one through others.',
			severity: 'error',
			from: { path: '^nodes/shared/transport/' },
			to: { pathNot: ['^nodes/shared/transport/', knowsNoResource, n8nWorkflow] },
		},
		{
			name: 'shared-ground-floor',
			comment: 'What knows no resource uses nothing that does.',
			severity: 'error',
			from: { path: knowsNoResource },
			to: { pathNot: [knowsNoResource, n8nWorkflow] },
		},
		{
			name: 'shared-knows-no-node',
			comment: 'nodes/shared serves both nodes and the credential.',
			severity: 'error',
			from: { path: inside('shared') },
			to: { pathNot: [inside('shared'), n8nWorkflow] },
		},
		{
			name: 'lists-on-top-of-shared',
			comment:
				'What lies in nodes/shared itself, and what talks to the service, serves more than lists.',
			severity: 'error',
			from: { path: '^nodes/shared/[^/]+$' },
			to: { path: '^nodes/shared/lists/' },
		},

		// The rooms of the action node.
		{
			name: 'operations-know-no-other-room',
			comment: 'What turns declarations into operations serves every field and resource alike.',
			severity: 'error',
			from: { path: `${action}(operations|runner)/` },
			to: { path: action, pathNot: `${action}(operations|runner)/` },
		},
		{
			name: 'methods-use-declarations',
			comment: 'The lists of the editor show first what an operation declares to take.',
			severity: 'error',
			from: { path: `${action}methods/` },
			to: { path: action, pathNot: `${action}(methods|operations|resources)/` },
		},
		{
			name: 'fields-use-operations',
			comment: 'The fields that screens share serve every resource alike.',
			severity: 'error',
			from: { path: `${action}fields/` },
			to: { path: action, pathNot: `${action}(fields|operations|runner)/` },
		},
		{
			name: 'resources-use-fields-and-operations',
			comment: 'A declaration names the method that fills a list; it does not call it.',
			severity: 'error',
			from: { path: `${action}resources/` },
			to: { path: action, pathNot: `${action}(resources|fields|operations|runner)/` },
		},

		// The rooms of the trigger.
		{
			name: 'trigger-dedupe',
			comment: 'Which rows are new depends on the rows and the events.',
			severity: 'error',
			from: { path: `${trigger}dedupe/` },
			to: { path: trigger, pathNot: `${trigger}(dedupe/|events[.]ts$)` },
		},
		{
			name: 'trigger-state',
			comment: 'What is remembered is known without those who decide by it.',
			severity: 'error',
			from: { path: `${trigger}state/` },
			to: { path: trigger, pathNot: `${trigger}(state|dedupe)/` },
		},
		{
			name: 'trigger-campaigns',
			comment: 'What decides about campaigns talks to nobody.',
			severity: 'error',
			from: { path: `${trigger}campaigns/` },
			to: { path: trigger, pathNot: `${trigger}((campaigns|state|dedupe)/|events[.]ts$)` },
		},
		{
			name: 'trigger-api',
			comment: 'What reads knows what is to be read, and nothing of what is remembered or seen.',
			severity: 'error',
			from: { path: `${trigger}api/` },
			to: { path: trigger, pathNot: `${trigger}((api|campaigns)/|settings[.]ts$)` },
		},

		// What develops it.
		{
			name: 'no-nodes-in-the-emulator',
			comment:
				'The emulator is the service as its document tells it: what it shares with the node, both could get wrong alike.',
			severity: 'error',
			from: { path: '^emulator/' },
			to: { path: '^(nodes|credentials|dist|test|sandbox|scripts)/' },
		},
		{
			name: 'emulator-state-is-the-ground-floor',
			comment: 'What the service knows depends on nothing that serves it.',
			severity: 'error',
			from: { path: '^emulator/state/' },
			to: { path: '^emulator/', pathNot: '^emulator/state/' },
		},
		{
			name: 'emulator-server-knows-no-route',
			comment: 'The server carries the routes; it does not reach up to them.',
			severity: 'error',
			from: { path: '^emulator/server/' },
			to: { path: '^emulator/(routes|control|page)/' },
		},
		{
			name: 'emulator-through-its-door',
			comment:
				'Tests, sandbox and scripts start the emulator; its rooms are its own. Tests of the emulator open them.',
			severity: 'error',
			from: { path: '^(sandbox|scripts|test)/', pathNot: '^test/emulator/' },
			to: { path: '^emulator/.+/' },
		},
		{
			name: 'sandbox-rooms-know-no-whole',
			comment: 'What the sandbox is put together from does not know what is made of it.',
			severity: 'error',
			from: { path: '^sandbox/[^/]+/' },
			to: { path: '^sandbox/[^/]+$' },
		},
		{
			name: 'sandbox-ground-floor',
			comment: 'terminal uses no other room of the sandbox, machine terminal alone.',
			severity: 'error',
			from: { path: '^sandbox/(terminal|machine)/' },
			to: { path: '^sandbox/', pathNot: '^sandbox/(terminal|$1)/' },
		},
		{
			name: 'sandbox-stands-alone',
			comment:
				'The sandbox runs the built package in a real n8n; it uses no test and no source of the package.',
			severity: 'error',
			from: { path: '^(sandbox|scripts)/' },
			to: { path: '^(test|nodes|credentials)/' },
		},
		{
			name: 'kit-knows-no-test',
			comment: 'The kit serves all tests.',
			severity: 'error',
			from: { path: '^test/kit/' },
			to: { path: '^test/', pathNot: '^test/kit/' },
		},
		{
			name: 'tests-run-the-built-package',
			comment:
				'What is shipped is tested from dist/. Unit tests and those of the package read the sources; the mutants and the benchmark take helpers from them.',
			severity: 'error',
			from: { path: '^test/', pathNot: '^test/(unit|package|mutants|benchmark)/' },
			to: { path: '^(nodes|credentials)/' },
		},
	],
	options: {
		// Not looked into, but seen where something imports from them.
		doNotFollow: { path: ['node_modules', '^(dist|[.]sandbox)/'] },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: {
			extensions: ['.ts', '.mts', '.mjs', '.cjs', '.js', '.json'],
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default', 'types'],
		},
	},
};
