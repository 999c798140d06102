import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { OpenAPIV3_1 } from 'openapi-types';
import { parse } from 'yaml';
import { isObject } from './guards.mts';
import { contractPath } from './projectRoot.mts';

// ajv-formats is CommonJS: its function is the `default` of what an ES module gets.
const addFormats = addFormatsModule.default;

/** A schema-compiler with the dialect of OpenAPI 3.1. */
export function newAjv(options: { coerceTypes: boolean }): Ajv2020 {
	const ajv = new Ajv2020({
		allErrors: true,
		strict: true,
		strictTypes: false,
		strictRequired: false,
		// `then: { required: […] }` has no `properties` of its own.
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

/** Only so far as a type needs it: a test holds the document against OpenAPI's own schema. */
function isOpenApi(document: unknown): document is OpenAPIV3_1.Document {
	return isObject(document) && document.openapi === '3.1.0' && isObject(document.info);
}

let parsed: OpenAPIV3_1.Document | undefined;

/** The contract, emulator/openapi.yaml. Read once; do not change what you get. */
export function contractDocument(): OpenAPIV3_1.Document {
	if (parsed === undefined) {
		const document: unknown = parse(readFileSync(contractPath(), 'utf8'));
		if (!isOpenApi(document)) throw new Error(`${contractPath()} is no OpenAPI document`);
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

/** Fastify's names of the parts of a request, where ours are others. */
const partNames: Record<string, string> = { querystring: 'query', params: 'path' };

/** The contract's own words for fields that exclude each other. */
function exclusion(error: ErrorObject): string {
	const description: unknown = error.parentSchema?.description;
	return typeof description === 'string' ? description : 'mutually exclusive fields';
}

/** What is wrong with a value, in one line. */
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

/** Checks responses against the contract. Validators are compiled when first needed. */
export class ResponseContract {
	private readonly ajv = newAjv({ coerceTypes: false });
	private readonly operations = new Map<string, DocumentedOperation>();
	private readonly validators = new Map<string, ValidateFunction | undefined>();

	constructor() {
		const document = contractDocument();
		// The whole document is the schema that references lead into; what is no schema keyword says nothing.
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

	/** How this response violates the contract, or undefined. */
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
		// Other statuses than the documented ones are "not shown": nothing to compare with.
		if (!operation.statuses.has(String(status))) return undefined;
		const response = this.resolve(`${operation.pointer}/${status}`);
		return this.ajv.compile({
			$ref: `contract#${response}/content/${pointerPart(mediaType)}/schema`,
		});
	}

	/** Follows a `$ref` of a response object, which is no schema and so unknown to the validator. */
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

/** An answer is `anyOf` success and failure; errors of the branch that is not meant only confuse. */
function closestErrors(errors: ErrorObject[]): ErrorObject[] {
	const meant = errors.filter(
		(error) => error.keyword !== 'anyOf' && !error.schemaPath.includes('/Failure'),
	);
	return meant.length > 0 ? meant : errors;
}
