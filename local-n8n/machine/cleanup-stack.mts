type Cleanup = () => Promise<void>;

/**
 * Collects functions that stop what was started. `closeAll` runs these functions in reverse order, and each function only
 * once.
 */
export class CleanupStack {
	private readonly stack: Cleanup[] = [];
	private closing: Promise<void> | undefined;

	add(cleanup: Cleanup): void {
		this.stack.push(cleanup);
	}

	/** Runs all cleanups, even if one fails. */
	async closeAll(): Promise<void> {
		this.closing ??= this.close();
		await this.closing;
	}

	/** Calls `start`. If `start` fails, runs all cleanups. */
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
