import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject } from './server/guards.mts';

/** The HTTP methods that the contract uses. */
const httpMethods = ['get', 'put', 'post', 'delete'] as const;

/** A JSON Schema, as far as its readers use it. */
export type Schema = {
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	required?: string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	allOf?: Schema[];
	anyOf?: Schema[];
	oneOf?: Schema[];
};

type Content = Record<string, { schema: Schema }>;

/** An operation of the contract. */
export type ContractOperation = {
	operationId: string;
	parameters?: Array<{ name: string; in: string }>;
	requestBody?: { content: Content };
	responses: Record<string, { $ref?: string; content?: Content }>;
};

/** The parts of the contract that somebody reads. */
export type Contract = {
	paths: Record<string, Partial<Record<(typeof httpMethods)[number], ContractOperation>>>;
	components: { schemas: Record<string, Schema> };
};

const contractPath = join(import.meta.dirname, 'openapi.yaml');

/**
 * Whether a document looks like OpenAPI 3.1. fastify-openapi-glue checks the whole document against the schema of OpenAPI.
 */
function isOpenApi(document: unknown): document is Contract {
	return isObject(document) && document.openapi === '3.1.0' && isObject(document.paths);
}

/** @throws if this is no OpenAPI document */
function checked(document: unknown): Contract {
	if (!isOpenApi(document)) throw new Error(`${contractPath} is not an OpenAPI document`);
	return document;
}

/** The contract (emulator/openapi.yaml) with its references. Nobody may change it. */
export const contractDocument = checked(parse(readFileSync(contractPath, 'utf8')));

function resolve(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(resolve);
	if (!isObject(value)) return value;
	if (typeof value.$ref !== 'string')
		return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
	const keys = value.$ref.split('/').slice(1);
	return resolve(
		keys.reduce<unknown>((part, key) => isObject(part) && part[key], contractDocument),
	);
}

/** The contract with its references resolved. */
export const resolvedContract = checked(resolve(contractDocument));

/** The operations of the contract, in its order, each with its method and path, and with its references resolved. */
export const contractOperations = Object.entries(resolvedContract.paths).flatMap(([path, item]) =>
	httpMethods.flatMap((method) => {
		const operation = item[method];
		return operation ? [{ ...operation, method, path }] : [];
	}),
);
