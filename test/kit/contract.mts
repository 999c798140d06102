import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

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

const METHODS = ['get', 'post', 'put', 'delete'];

/** Returns the question types that the service's document lists (schema SurveyQuestion). */
export function documentedQuestionTypes(): string[] {
	const path = ['components', 'schemas', 'SurveyQuestion', 'properties', 'templateCode', 'enum'];
	return list(at(contract(), path)).map(String);
}

/** Returns every endpoint of the OpenAPI document with all fields of its requests. */
export function documentedEndpoints(): Endpoint[] {
	const document = contract();
	const resolve = (value: unknown): Json => {
		const { $ref: reference, ...rest } = record(value);
		if (typeof reference !== 'string') return rest;
		return resolve(at(document, reference.split('/').slice(1)));
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

	return Object.entries(record(document.paths)).flatMap(([path, item]) =>
		Object.entries(record(item))
			.filter(([method]) => METHODS.includes(method))
			.map(([method, description]) => {
				const { operationId, parameters, requestBody } = record(description);
				const query = list(parameters)
					.map(resolve)
					.filter((parameter) => parameter.in === 'query')
					.map(({ name }) => String(name));
				const body = Object.values(record(resolve(requestBody).content)).flatMap((content) =>
					fieldsOf(record(content).schema),
				);
				return {
					operationId: String(operationId),
					method: method.toUpperCase(),
					path,
					fields: [...new Set([...query, ...body])].sort(),
				};
			}),
	);
}

function contract(): Json {
	return record(parse(readFileSync('emulator/openapi.yaml', 'utf8')));
}

function at(document: Json, keys: string[]): unknown {
	return keys.reduce<unknown>((part, key) => record(part)[key], document);
}

function record(value: unknown): Json {
	return isObject(value) ? value : {};
}

function list(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}
