import { existsSync, readFileSync, renameSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { EmulatorClock } from '../state/clock.mts';
import type { Keys } from '../state/keys.mts';
import { restoredState, savedState } from '../state/savedState.mts';
import type { EmulatorState } from '../state/state.mts';

/** A file that keeps the records of an emulator. */
export class StateFile {
	private writing: Promise<void> = Promise.resolve();
	private next: Promise<void> | undefined;

	constructor(private readonly path: string) {}

	/** Returns the saved records, or undefined if there are none. Renames a file that cannot be read to `….unreadable`. */
	read(clock: EmulatorClock, keys: Keys): EmulatorState | undefined {
		if (!existsSync(this.path)) return undefined;
		try {
			return restoredState(readFileSync(this.path), clock, keys);
		} catch {
			renameSync(this.path, `${this.path}.unreadable`);
			return undefined;
		}
	}

	/** Saves the records as they are when the write begins. Calls during a write share the next one. */
	async save(state: () => EmulatorState): Promise<void> {
		this.next ??= this.writing
			.catch(() => undefined)
			.then(async () => {
				this.next = undefined;
				// A killed process leaves either the old file or the new one.
				await writeFile(`${this.path}.new`, savedState(state()));
				await rename(`${this.path}.new`, this.path);
			});
		this.writing = this.next;
		await this.next;
	}
}

/** Saves the records before the response to a change is sent, so that nobody knows of a record that is forgotten. */
export function saveAfterChanges(app: FastifyInstance, save: () => Promise<void>): void {
	app.addHook('onSend', async (request, _reply, payload) => {
		if (request.method !== 'GET') await save();
		return payload;
	});
}
