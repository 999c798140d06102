type Cleanup = () => Promise<void>;

/** Stops everything that was started, in reverse order. Can be closed more than once. */
export class CleanupStack {
	private readonly stack: Cleanup[] = [];
	private closing: Promise<void> | undefined;

	add(cleanup: Cleanup): void {
		this.stack.push(cleanup);
	}

	/** Stops everything, even if one stop fails. */
	async closeAll(): Promise<void> {
		this.closing ??= this.close();
		await this.closing;
	}

	/** Starts something; if that fails, stops everything started so far. */
	async closeOnFailure<Started>(start: () => Promise<Started>): Promise<Started> {
		try {
			return await start();
		} catch (error) {
			await this.closeAll();
			throw error;
		}
	}

	private async close(): Promise<void> {
		const failures: unknown[] = [];
		for (let cleanup = this.stack.pop(); cleanup; cleanup = this.stack.pop()) {
			await cleanup().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be stopped');
	}
}
