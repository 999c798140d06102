type Closer = () => Promise<void>;

/** What has been started and must be stopped, last started first; safe to close more than once. */
export class Closers {
	private readonly stack: Closer[] = [];
	private closing: Promise<void> | undefined;

	add(closer: Closer): void {
		this.stack.push(closer);
	}

	/** Stops everything; one that fails does not keep the others from being stopped. */
	async closeAll(): Promise<void> {
		this.closing ??= this.close();
		await this.closing;
	}

	/** Does what starts something; when it fails, all that was started so far is stopped. */
	async unlessItFails<Started>(start: () => Promise<Started>): Promise<Started> {
		try {
			return await start();
		} catch (error) {
			await this.closeAll();
			throw error;
		}
	}

	private async close(): Promise<void> {
		const failures: unknown[] = [];
		for (let closer = this.stack.pop(); closer; closer = this.stack.pop()) {
			await closer().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be stopped');
	}
}
