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

const isModel = ({ path }) => path.includes('Model');

/**
 * Runs a test in n8n's engine only for a mutant of the modules that it proves. They use almost everything, so that a mutant
 * in any other module would take many times as long.
 */
module.exports = class extends Sequencer {
	constructor(options) {
		super(options);
		/** The file of the mutant. */
		this.files = options.globalConfig.nonFlagArgs;
	}

	sort(tests) {
		const wanted = super.sort(tests.filter(({ path }) => this.isWanted(path)));
		// The models first: they detect the most, and the other tests are then skipped.
		return wanted.sort((a, b) => Number(isModel(b)) - Number(isModel(a)));
	}

	isWanted(path) {
		const proved = PROVED_IN_ENGINE.find(([test]) => test.test(path));
		return !proved || this.files.some((file) => proved[1].test(file));
	}
};
