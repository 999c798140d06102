import fc from 'fast-check';

/** fast-check with the seed of this run (test/kit/seed.cjs): what a property test finds, it finds again. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) });

export default fc;
