import { setTimeout as sleep } from 'node:timers/promises';

/** Node's longest timer, in milliseconds. */
const longest = 2 ** 31 - 1;

/** Pending delays of the server. `reset()` of the emulator ends them. They do not keep a process alive. */
export class Delays {
	private readonly ending = new AbortController();

	/** Resolves to true after this many milliseconds (`Infinity`: never), or to false when `end` is called. */
	async for(milliseconds: number): Promise<boolean> {
		const { signal } = this.ending;
		const options = { signal, ref: false };
		return await sleep(Math.min(milliseconds, longest), true, options).catch(() => false);
	}

	end(): void {
		this.ending.abort();
	}
}
