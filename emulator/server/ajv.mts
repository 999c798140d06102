import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from './guards.mts';

/** A date and time with a time zone, as RFC 3339 writes it. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Creates a schema compiler for the dialect of OpenAPI 3.1. */
export function newAjv(options: { coerceTypes: boolean }): Ajv2020 {
	const ajv = new Ajv2020({
		allErrors: true,
		strict: true,
		strictTypes: false,
		// The contract contains `then: { required: […] }` without `properties`.
		strictRequired: false,
		allowUnionTypes: true,
		verbose: true,
		coerceTypes: options.coerceTypes,
	});
	// The contract uses only these formats.
	ajv.addFormat('date-time', (text) => TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text)));
	ajv.addFormat('json', (text) => text === '' || isJson(text));
	return ajv;
}

/** Names of the parts of a request in error messages, where they differ from Fastify's names. */
const partNames: Record<string, string> = { querystring: 'query', params: 'path' };

/** Describes validation errors in one line. */
export function describeErrors(
	errors: readonly ErrorObject[] | null | undefined,
	part: string,
): string {
	const shownPart = partNames[part] ?? part;
	const lines = (errors ?? [])
		.filter((error) => error.keyword !== 'if')
		.map((error) => {
			const place = `${shownPart}${error.instancePath}`;
			switch (error.keyword) {
				case 'additionalProperties':
				case 'unevaluatedProperties':
					return `${place} has the unknown field "${Object.values(error.params).join()}"`;
				case 'not':
					// The contract describes mutually exclusive fields.
					return `${place}: ${String(error.parentSchema?.description)}`;
				case 'enum':
					return `${place} must be one of ${JSON.stringify(error.params.allowedValues)}`;
				default:
					return `${place} ${error.message ?? error.keyword}`;
			}
		});
	return [...new Set(lines)].slice(0, 5).join('; ');
}

/** Checks responses against the contract. */
export class ResponseContract {
	private readonly ajv = newAjv({ coerceTypes: false });
	/** The content of the documented responses, by operation and status. */
	private readonly contents = new Map<string, Record<string, unknown>>();

	add(operationId: string, responses: Record<string, unknown>): void {
		for (const [status, response] of Object.entries(responses)) {
			if (!isObject(response) || !isObject(response.content)) continue;
			this.contents.set(`${operationId} ${status}`, response.content);
		}
	}

	/**
	 * Describes how a response violates the contract. Returns undefined if the response is valid or its status is not
	 * documented.
	 */
	problem(
		operationId: string,
		status: number,
		mediaType: string,
		body: unknown,
	): string | undefined {
		const content = this.contents.get(`${operationId} ${status}`);
		if (content === undefined) return undefined;
		const media = content[mediaType];
		if (!isObject(media) || !isObject(media.schema)) return `response has the type ${mediaType}`;
		// Ajv caches the compiled schema.
		const schema: object = media.schema;
		const validate = this.ajv.compile(schema);
		return validate(body) ? undefined : describeErrors(validate.errors, 'response');
	}
}
