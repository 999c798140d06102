import type { IExecuteFunctions } from 'n8n-workflow';

import { type Fail } from '../failure';
import { failure } from '../failure';
import { isDataObject } from '../typeGuards';
import type { ApiRequest } from './apiRequest';

/** What a request takes from Request Options. */
export type RequestSettings = Pick<
	ApiRequest,
	'timeout' | 'proxy' | 'skipSslCertificateValidation'
>;

/**
 * What the builder set under Request Options, which n8n adds to every declarative node and reads only in its own engine.
 *
 * @throws NodeOperationError for a proxy that is no address
 */
export function requestSettings(context: IExecuteFunctions, itemIndex: number): RequestSettings {
	return settingsFrom(
		context.getNodeParameter('requestOptions', itemIndex, {}),
		failure(context, itemIndex),
	);
}

/** The same from the value of the parameter Request Options. @throws what `fail` makes for a proxy that is no address */
export function settingsFrom(options: unknown, fail: Fail): RequestSettings {
	if (!isDataObject(options)) return {};
	const { timeout, proxy, allowUnauthorizedCerts } = options;
	const settings: RequestSettings = {};
	if (typeof timeout === 'number' && timeout > 0) settings.timeout = timeout;
	if (allowUnauthorizedCerts === true) settings.skipSslCertificateValidation = true;
	if (typeof proxy === 'string' && proxy !== '') settings.proxy = proxySettings(proxy, fail);
	return settings;
}

/** How many input items a node works on at the same time, and how long it rests between two batches of them. */
export type Batching = { atOnce: number; pauseMs: number };

/** Items under way at the same time where the builder sets nothing, or -1 for "all". */
const ITEMS_AT_ONCE = 10;

/** More would only wait for each other, and for the service. */
const MOST_AT_ONCE = 50;

/** What the builder set as Batching under Request Options, from the value of that parameter. */
export function batchingFrom(options: unknown): Batching {
	const batching = isDataObject(options) && isDataObject(options.batching) ? options.batching : {};
	const { batchSize, batchInterval } = isDataObject(batching.batch) ? batching.batch : {};
	const size = Number(batchSize ?? ITEMS_AT_ONCE);
	const pause = Number(batchInterval ?? 0);
	return {
		atOnce: size >= 1 ? Math.min(Math.floor(size), MOST_AT_ONCE) : ITEMS_AT_ONCE,
		pauseMs: pause > 0 ? pause : 0,
	};
}

function proxySettings(typed: string, fail: Fail): ApiRequest['proxy'] {
	try {
		const { protocol, hostname: host, port, username, password } = new URL(typed);
		return {
			host,
			port: Number(port) || (protocol === 'https:' ? 443 : 80),
			protocol: protocol.replace(/:$/, ''),
			...(username !== '' && {
				auth: {
					username: decodeURIComponent(username),
					password: decodeURIComponent(password),
				},
			}),
		};
	} catch {
		throw fail('The proxy is not valid', 'It needs the form http://host:port.');
	}
}
