const { default: Sequencer } = require('@jest/test-sequencer');

/** Tests in n8n's engine, and the modules that they prove. */
const PROVED_IN_ENGINE = [
	[/engine\/trigger/, /MessagingServiceTrigger/],
	[/engine\/syncModel/, /recipientGroup\/sync|engine\/names/],
	[/engine\/sync/, /recipientGroup\/sync/],
	[/engine\/(allItemsFirst|oneStep|runner)/, /MessagingService\/engine/],
	[/engine\/requests/, /engine\/declaration/],
	[/engine\/lists/, /transport\/paging/],
	[/engine\/survey/, /survey\/getResponses/],
	[/engine\/afterFailure/, /errors\/apiError/],
];

/** After a detection, the other tests are skipped. So unit tests come first, then the models, which detect the most mutants. */
const rankOf = ({ path }) => (path.includes('/unit/') ? 0 : path.includes('Model') ? 1 : 2);

/**
 * Runs an engine test only for mutants in the modules that this test proves. Engine tests use almost every module.
 * Without this rule, all engine tests would run for every mutant, which takes many times as long.
 */
module.exports = class extends Sequencer {
	constructor(options) {
		super(options);
		/** The path of the file with the mutant, in a list. */
		this.files = options.globalConfig.nonFlagArgs;
	}

	sort(tests) {
		const wanted = super.sort(tests.filter(({ path }) => this.isWanted(path)));
		return wanted.sort((a, b) => rankOf(a) - rankOf(b));
	}

	isWanted(path) {
		const proved = PROVED_IN_ENGINE.find(([test]) => test.test(path));
		return !proved || this.files.some((file) => proved[1].test(file));
	}
};
