import { contractDocument, contractOperations } from '../../emulator/emulator.mts';
import { isObject } from './typed.mts';

type Json = Record<string, unknown>;

/** One endpoint of the service's OpenAPI document. */
export type Endpoint = {
	/** `<resource>.<operation>`, named like the node's operations. */
	operationId: string;
	method: string;
	/** Path with its parameters in braces: `/int/v1/campaign/{id}`. */
	path: string;
	/** Names of query parameters and body fields. A nested name has dots: `recipients.email`. */
	fields: string[];
};

/** Returns the question types that the service's document lists (schema SurveyQuestion). */
export function documentedQuestionTypes(): string[] {
	const path = ['components', 'schemas', 'SurveyQuestion', 'properties', 'templateCode', 'enum'];
	return list(at(path)).map(String);
}

/** Returns every endpoint of the OpenAPI document with all fields of its requests. */
export function documentedEndpoints(): Endpoint[] {
	const resolve = (value: unknown): Json => {
		const { $ref: reference, ...rest } = record(value);
		if (typeof reference !== 'string') return rest;
		return resolve(at(reference.split('/').slice(1)));
	};
	const fieldsOf = (schema: unknown, prefix = ''): string[] => {
		const { properties, items, allOf, anyOf, oneOf } = resolve(schema);
		const own = Object.entries(record(properties)).flatMap(([name, inner]) => [
			`${prefix}${name}`,
			...fieldsOf(inner, `${prefix}${name}.`),
		]);
		const parts = [allOf, anyOf, oneOf].flatMap(list).flatMap((part) => fieldsOf(part, prefix));
		return [...own, ...parts, ...(items ? fieldsOf(items, prefix) : [])];
	};

	return contractOperations().map(({ operationId, method, path, requestBody, ...others }) => {
		const query = list(record(others).parameters)
			.map(resolve)
			.filter((parameter) => parameter.in === 'query')
			.map(({ name }) => String(name));
		const body = Object.values(record(resolve(requestBody).content)).flatMap((content) =>
			fieldsOf(record(content).schema),
		);
		const fields = [...new Set([...query, ...body])].sort();
		return { operationId, method: method.toUpperCase(), path, fields };
	});
}

function at(keys: string[]): unknown {
	return keys.reduce<unknown>((part, key) => record(part)[key], contractDocument());
}

function record(value: unknown): Json {
	return isObject(value) ? value : {};
}

function list(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}
