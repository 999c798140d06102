import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIP } from 'node:net';

/** Closes the server's port and opens it again, like a service that crashes and restarts. */
export class Outage {
	private server: Server | undefined;
	private address: { port: number; host: string } | undefined;
	private down = false;
	private requestsLeft = Number.POSITIVE_INFINITY;

	/** Sets the server, and the address at which `comeUp` listens again. */
	attach(server: Server, port: number, host: string): void {
		this.server = server;
		this.address = { port, host };
	}

	/**
	 * Goes down after this many more requests. Open connections then break, and new connections are refused.
	 *
	 * @throws if the host is a name
	 */
	goDown(afterRequests: number): void {
		// A host name may resolve to several addresses, but `comeUp` must listen at the same address.
		if (isIP(this.address?.host ?? '') === 0) throw new Error('An outage needs an IP address');
		this.requestsLeft = afterRequests;
		if (afterRequests <= 0) this.closeServer();
	}

	/** Counts a request. Returns whether the outage refuses this request. */
	refusesRequest(): boolean {
		if (this.requestsLeft === Number.POSITIVE_INFINITY) return false;
		this.requestsLeft -= 1;
		if (this.requestsLeft >= 0) return false;
		this.closeServer();
		return true;
	}

	/** Listens again at the same address. */
	async comeUp(): Promise<void> {
		this.requestsLeft = Number.POSITIVE_INFINITY;
		if (!this.down || this.server === undefined || this.address === undefined) return;
		this.down = false;
		this.server.listen(this.address.port, this.address.host);
		await once(this.server, 'listening');
	}

	private closeServer(): void {
		if (this.down || this.server === undefined) return;
		this.down = true;
		this.server.close();
		this.server.closeAllConnections();
	}
}
