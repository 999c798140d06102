import type { IExecuteFunctions } from 'n8n-workflow';

import { type Fail } from '../failure';
import { failure } from '../failure';
import { isDataObject } from '../guards';
import type { ApiRequest } from './transport';

/**
 * What the builder set under Request Options, which n8n adds to every declarative node and reads only for declarative
 * operations.
 */
export function requestSettings(
	context: IExecuteFunctions,
	itemIndex: number,
): Pick<ApiRequest, 'timeout' | 'proxy' | 'skipSslCertificateValidation'> {
	const options: unknown = context.getNodeParameter('requestOptions', itemIndex, {});
	if (!isDataObject(options)) return {};
	const { timeout, proxy, allowUnauthorizedCerts } = options;
	const settings: ReturnType<typeof requestSettings> = {};
	if (typeof timeout === 'number' && timeout > 0) settings.timeout = timeout;
	if (allowUnauthorizedCerts === true) settings.skipSslCertificateValidation = true;
	if (typeof proxy === 'string' && proxy !== '') {
		const fail = failure(context, itemIndex);
		settings.proxy = proxySettings(proxy, fail);
	}
	return settings;
}

function proxySettings(typed: string, fail: Fail): ApiRequest['proxy'] {
	let url: URL;
	try {
		url = new URL(typed);
	} catch {
		throw fail('The proxy is not valid', 'It needs the form http://host:port.');
	}
	const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
	const proxy: NonNullable<ApiRequest['proxy']> = {
		host: url.hostname,
		port,
		protocol: url.protocol.replace(/:$/, ''),
	};
	if (url.username !== '') {
		proxy.auth = {
			username: decodeURIComponent(url.username),
			password: decodeURIComponent(url.password),
		};
	}
	return proxy;
}
