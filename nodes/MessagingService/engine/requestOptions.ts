import { failure, type FailureContext } from '../../shared/failure';
import {
	collectionField,
	fixedCollection,
	numberField,
	stringField,
	switchedOff,
} from '../../shared/fieldTypes';
import { fieldsIn, isBlank, toNumber } from '../../shared/values';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { parseUrl } from '../../shared/transport/address';

/** The number of concurrent items if the option is missing or is -1 ("all"). */
const DEFAULT_CONCURRENCY = 10;

/** More concurrent items would only wait for each other and for the service. */
const MAX_CONCURRENCY = 50;

/**
 * The field Request Options, with our own description of Items per Batch. n8n adds its own field to a declarative node, but
 * not to a node with a `webhook` method (applyDeclarativeNodeOptionParameters of n8n-core 1.122.48 and 2.41.1).
 */
export const requestOptions = collectionField(
	'requestOptions',
	'Add Option',
	[
		fixedCollection(
			'batching',
			'',
			['batch', 'Batching'],
			[
				numberField(
					'batchSize',
					// Fewer than without Batching, because people add it when the service receives too many requests.
					5,
					`How many items the node works on at the same time. The maximum is ${MAX_CONCURRENCY}. 0 and -1 mean ${DEFAULT_CONCURRENCY} items. The operations "Sync" and "Send and Wait for Response" ignore Batching.`,
					-1,
					{ displayName: 'Items per Batch' },
				),
				numberField('batchInterval', 1000, 'Time to wait between two batches, in milliseconds', 0, {
					displayName: 'Batch Interval (Ms)',
				}),
			],
			{
				placeholder: 'Add Batching',
				typeOptions: { multipleValues: false },
				default: { batch: {} },
			},
		),
		switchedOff(
			'allowUnauthorizedCerts',
			'Whether to connect even if SSL certificate validation is not possible',
			{ displayName: 'Ignore SSL Issues (Insecure)', noDataExpression: true },
		),
		stringField('proxy', 'HTTP proxy to use, for example http://username:password@myproxy:3128', {
			placeholder: 'e.g. http://myproxy:3128',
		}),
		numberField('timeout', 10000, 'How long to wait for a response, in milliseconds', 1),
	],
	{ isNodeSetting: true },
);

/** The settings of a request from Request Options. */
export type RequestSettings = Pick<
	ApiRequest,
	'timeout' | 'proxy' | 'skipSslCertificateValidation'
>;

/**
 * Reads Request Options. n8n itself applies them only to requests that its declarative engine sends.
 *
 * @param options the value of the parameter Request Options
 * @throws NodeOperationError for a proxy that is not an address, or a timeout that is negative or not a number
 */
export function readRequestOptions(options: unknown, context: FailureContext): RequestSettings {
	const { timeout, proxy, allowUnauthorizedCerts } = fieldsIn(options);
	const settings: RequestSettings = {};
	// With a timeout of 0, n8n's default applies.
	if (!isBlank(timeout) && toNumber(timeout) !== 0) settings.timeout = timeoutMs(timeout, context);
	if (allowUnauthorizedCerts === true) settings.skipSslCertificateValidation = true;
	if (!isBlank(proxy)) settings.proxy = proxySettings(proxy, context);
	return settings;
}

/** The number of concurrent items, and the pause between batches. */
export type Batching = { concurrency: number; pauseMs: number };

/**
 * Reads Batching from the value of Request Options. Never throws: an invalid size or pause counts as missing, and a size
 * above `MAX_CONCURRENCY` as this maximum.
 */
export function readBatching(options: unknown): Batching {
	const { batch } = fieldsIn(fieldsIn(options).batching);
	const { batchSize, batchInterval } = fieldsIn(batch);
	const size = Number(batchSize ?? DEFAULT_CONCURRENCY);
	const pause = Number(batchInterval ?? 0);
	return {
		concurrency: size >= 1 ? Math.min(Math.floor(size), MAX_CONCURRENCY) : DEFAULT_CONCURRENCY,
		pauseMs: pause > 0 ? pause : 0,
	};
}

/** The longest time that a timer can run. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Checks the timeout. If it were a text, n8n would silently use its default of five minutes. */
function timeoutMs(given: unknown, context: FailureContext): number {
	const timeout = toNumber(given);
	if (timeout > 0 && timeout <= LONGEST_TIMER_MS) return Math.ceil(timeout);
	throw failure(context)(
		`Timeout must be a number of milliseconds, at most ${LONGEST_TIMER_MS}`,
		'Nothing was sent.',
	);
}

/**
 * Checks the proxy. If a proxy has no host, n8n ignores it and sends the request directly (n8n-core 1.122.48 and 2.41.1).
 */
function proxySettings(given: unknown, context: FailureContext): ApiRequest['proxy'] {
	const url = parseUrl(String(given).trim());
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw failure(context)(
			'Proxy is not the address of a proxy',
			'Enter it in the form http://host:port or https://host:port. Nothing was sent.',
		);
	}
	const { protocol, hostname: host, port, username, password } = url;
	// Percent-encoded, as n8n's proxy agents expect (n8n-core 1.122.48 and 2.41.1).
	const auth = { username: escapePercent(username), password: escapePercent(password) };
	return {
		host,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.slice(0, -1),
		...(username !== '' && { auth }),
	};
}

/** Escapes each "%" that does not begin an escape sequence: `50%` → `50%25`. The URL has escaped the other characters. */
function escapePercent(text: string): string {
	return text.replace(/%(?![\da-f]{2})/gi, '%25');
}
