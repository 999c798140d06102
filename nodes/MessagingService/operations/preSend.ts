import type { PreSendAction } from 'n8n-workflow';

// What a check before sending threw, by the request it refused.
const refusals = new WeakMap<object, unknown>();

/**
 * A preSend whose error waits until the request is due. Thrown at once, the engine would make an item of it that is not
 * paired with its input item, and "Continue (using error output)" could not say which item failed (n8n-core 2.41.1).
 */
export function checkedLater(preSend: PreSendAction): PreSendAction {
	return async function (request) {
		if (refusals.has(request)) return request;
		try {
			return await preSend.call(this, request);
		} catch (error) {
			refusals.set(request, error);
			return request;
		}
	};
}

/** The error that a check before sending left for a request; `undefined` when the request may go out. */
export function refusalOf(request: object): unknown {
	return refusals.get(request);
}
