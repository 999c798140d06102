import type { AddressInfo } from 'node:net';
import { createEmulator, type Emulator } from './api.mts';
import { registerPages } from './page/pages.mts';
import { operations } from './routes/operations.mts';
import { buildService } from './server/app.mts';
import type { Context } from './server/context.mts';
import { ResponseContract } from './server/ajv.mts';
import { Delays } from './server/delays.mts';
import { Faults } from './server/faults.mts';
import { RateLimit } from './server/rateLimit.mts';
import { Recorder } from './server/recorder.mts';
import { StateFile } from './server/stateFile.mts';
import { EmulatorClock } from './state/clock.mts';
import { Keys } from './state/keys.mts';
import { seededState, type SeedOptions } from './state/seed.mts';
import { defaultSwitches, type Switches } from './switches.mts';

export type { Emulator } from './api.mts';
export { readReport } from './likeReport.mts';
export { errorLogEntry } from './routes/errorLog.mts';
export { contractOperations, resolvedContract } from './contract.mts';
export type { FaultAction } from './server/faults.mts';
export type { RecordedRequest } from './server/recorder.mts';
export type { Json } from './state/json.mts';
export type { SeedOptions } from './state/seed.mts';
export type { Switches } from './switches.mts';

export interface EmulatorOptions {
	/** The port. The default, 0, selects a free port. */
	port?: number;
	seed?: SeedOptions;
	switches?: Partial<Switches>;
	/** The file that keeps the records. If it exists, its records replace those of the seed. */
	stateFile?: string;
	/** Returns the time in milliseconds. By default, this is the real time. */
	clock?: () => number;
}

/** Other machines cannot reach this address. */
const HOST = '127.0.0.1';

/** Starts an emulator of the whole messaging service, which only this machine can reach. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const { port = 0, seed = {} } = options;
	const clock = new EmulatorClock(options.clock);
	const switches = (): Switches => ({
		...defaultSwitches(),
		...structuredClone(options.switches ?? {}),
	});
	const file = options.stateFile === undefined ? undefined : new StateFile(options.stateFile);
	const kept = file?.read(clock, new Keys());
	const context: Context = {
		state: kept ?? seededState(seed, clock, new Keys()),
		save: async () => await file?.save(() => context.state),
		switches: switches(),
		baseUrl: '',
		clock,
		recorder: new Recorder(),
		faults: new Faults(),
		responses: new ResponseContract(),
		delays: new Delays(),
		rateLimit: new RateLimit(),
		requestListeners: new Set(),
	};
	const app = await buildService(context, operations(context));
	const initial = { seed, switches, isRestored: kept !== undefined };
	const emulator = createEmulator(context, initial, () => app.close());
	await registerPages(app, emulator);
	try {
		await app.listen({ port, host: HOST });
	} catch (error) {
		await app.close();
		throw error;
	}
	const address: AddressInfo | string | null = app.server.address();
	if (address === null || typeof address === 'string') throw new Error('The emulator has no port');
	context.baseUrl = `http://${HOST}:${address.port}`;
	return emulator;
}
