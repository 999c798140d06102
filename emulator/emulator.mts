import type { AddressInfo } from 'node:net';
import { createEmulator, type Emulator } from './api.mts';
import { registerPages } from './page/pages.mts';
import { operations } from './routes/operations.mts';
import { buildService } from './server/app.mts';
import type { Context } from './server/context.mts';
import { ResponseContract } from './server/contract.mts';
import { Delays } from './server/delays.mts';
import { Faults } from './server/faults.mts';
import { isLoopbackName } from './server/hosts.mts';
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
export type { FaultAction } from './server/faults.mts';
export type { RecordedRequest } from './server/recorder.mts';
export type { Json } from './state/json.mts';
export type { SeedOptions } from './state/seed.mts';
export type { Switches } from './switches.mts';

export interface EmulatorOptions {
	/** The port. The default, 0, selects a free port. */
	port?: number;
	/** A loopback name or address. The default is 127.0.0.1. */
	host?: string;
	seed?: SeedOptions;
	switches?: Partial<Switches>;
	/** The file that keeps the records. If it exists, its records replace those of the seed. */
	stateFile?: string;
	/** Returns the time in milliseconds. By default, this is the real time. */
	clock?: () => number;
}

/** Starts an emulator of the whole messaging service on this machine. @throws if the host is another machine */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const { host = '127.0.0.1', port = 0, seed = {} } = options;
	if (!isLoopbackName(host)) {
		throw new Error(`The emulator listens only on this machine (127.0.0.1, ::1), not on ${host}`);
	}
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
		await app.listen({ port, host });
	} catch (error) {
		await app.close();
		throw error;
	}
	const address: AddressInfo | string | null = app.server.address();
	if (address === null || typeof address === 'string') throw new Error('The emulator has no port');
	context.baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
	return emulator;
}
