import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { OpenAPIV3_1 } from 'openapi-types';
import { parse } from 'yaml';
import { isObject } from './guards.mts';
import { contractPath } from './projectRoot.mts';

// ajv-formats is CommonJS: an ES module gets its function as `default`.
const addFormats = addFormatsModule.default;

/** Creates a schema compiler for the dialect of OpenAPI 3.1. */
export function newAjv(options: { coerceTypes: boolean }): Ajv2020 {
	const ajv = new Ajv2020({
		allErrors: true,
		strict: true,
		strictTypes: false,
		strictRequired: false,
		// `then: { required: […] }` has no `properties`.
		allowUnionTypes: true,
		verbose: true,
		useDefaults: false,
		removeAdditional: false,
		coerceTypes: options.coerceTypes,
	});
	addFormats(ajv);
	return ajv;
}

/** The methods that the contract uses. */
export const httpMethods = ['get', 'put', 'post', 'delete'] as const;

/** A shallow check: a test validates the document against the schema of OpenAPI. */
function isOpenApi(document: unknown): document is OpenAPIV3_1.Document {
	return isObject(document) && document.openapi === '3.1.0' && isObject(document.info);
}

let parsed: OpenAPIV3_1.Document | undefined;

/** Returns the contract, emulator/openapi.yaml, which is read once and must not be changed. @throws if it is invalid */
export function contractDocument(): OpenAPIV3_1.Document {
	if (parsed === undefined) {
		const document: unknown = parse(readFileSync(contractPath(), 'utf8'));
		if (!isOpenApi(document)) throw new Error(`${contractPath()} is not an OpenAPI document`);
		parsed = document;
	}
	return parsed;
}

const pointerPart = (text: string): string =>
	encodeURIComponent(text.replace(/~/g, '~0').replace(/\//g, '~1'));

interface DocumentedOperation {
	pointer: string;
	statuses: Set<string>;
}

/** Names for parts of a request that differ from Fastify's. */
const partNames: Record<string, string> = { querystring: 'query', params: 'path' };

/** Returns the contract's description of mutually exclusive fields. */
function exclusion(error: ErrorObject): string {
	const description: unknown = error.parentSchema?.description;
	return typeof description === 'string' ? description : 'mutually exclusive fields';
}

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
					return `${place} has the unknown field "${String(error.params.additionalProperty)}"`;
				case 'unevaluatedProperties':
					return `${place} has the unknown field "${String(error.params.unevaluatedProperty)}"`;
				case 'not':
					return `${place}: ${exclusion(error)}`;
				case 'enum':
					return `${place} must be one of ${JSON.stringify(error.params.allowedValues)}`;
				default:
					return `${place} ${error.message ?? error.keyword}`;
			}
		});
	return [...new Set(lines)].slice(0, 5).join('; ');
}

/** Checks responses against the contract. Validators are compiled on first use. */
export class ResponseContract {
	private readonly ajv = newAjv({ coerceTypes: false });
	private readonly operations = new Map<string, DocumentedOperation>();
	private readonly validators = new Map<string, ValidateFunction | undefined>();

	constructor() {
		const document = contractDocument();
		// References lead into the whole document, so all its keys must be known as keywords.
		this.ajv.addVocabulary(Object.keys(document));
		this.ajv.addSchema(document, 'contract', false, false);
		for (const [path, item] of Object.entries(document.paths ?? {})) {
			for (const method of httpMethods) {
				const operation = item?.[method];
				if (operation?.operationId === undefined) continue;
				this.operations.set(operation.operationId, {
					pointer: `/paths/${pointerPart(path)}/${method}/responses`,
					statuses: new Set(Object.keys(operation.responses ?? {})),
				});
			}
		}
	}

	/** Describes how a response violates the contract; undefined if it does not. */
	problem(
		operationId: string,
		status: number,
		mediaType: string,
		body: unknown,
	): string | undefined {
		const key = `${operationId} ${status} ${mediaType}`;
		if (!this.validators.has(key)) {
			this.validators.set(key, this.compile(operationId, status, mediaType));
		}
		const validate = this.validators.get(key);
		if (validate === undefined || validate(body)) return undefined;
		return describeErrors(closestErrors(validate.errors ?? []), 'response');
	}

	private compile(
		operationId: string,
		status: number,
		mediaType: string,
	): ValidateFunction | undefined {
		const operation = this.operations.get(operationId);
		if (operation === undefined) throw new Error(`The contract has no operation ${operationId}`);
		// Undocumented statuses are not checked.
		if (!operation.statuses.has(String(status))) return undefined;
		const response = this.resolve(`${operation.pointer}/${status}`);
		return this.ajv.compile({
			$ref: `contract#${response}/content/${pointerPart(mediaType)}/schema`,
		});
	}

	/** Resolves the `$ref` of a response object, which the validator does not know because it is not a schema. */
	private resolve(pointer: string): string {
		let node: unknown = contractDocument();
		for (const part of pointer.split('/').slice(1)) {
			const name = decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~');
			node = isObject(node) ? node[name] : undefined;
		}
		const reference = isObject(node) ? node.$ref : undefined;
		return typeof reference === 'string' ? reference.slice(1) : pointer;
	}
}

/** A response is `anyOf` success and failure; drops the errors of the failure branch. */
function closestErrors(errors: ErrorObject[]): ErrorObject[] {
	const meant = errors.filter(
		(error) => error.keyword !== 'anyOf' && !error.schemaPath.includes('/Failure'),
	);
	return meant.length > 0 ? meant : errors;
}
