import { contractDocument, contractOperations } from '../emulator/contract.mts';
import { newAjv } from '../emulator/server/ajv.mts';

/** An endpoint of emulator/openapi.yaml. */
export type Endpoint = {
	operationId: string;
	method: string;
	path: string;
	/** The schema of its response. */
	schema: { $ref: string };
};

const { paths, components } = contractDocument;
const ajv = newAjv({ coerceTypes: false });
ajv.addVocabulary(['paths', 'components']);
ajv.addSchema({ $id: 'contract', paths, components });

/** Every endpoint of the contract, in its order. */
export const endpoints: Endpoint[] = contractOperations.map(({ operationId, method, path }) => {
	const own = `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/responses/200`;
	const response = paths[path]?.[method]?.responses['200']?.$ref ?? own;
	const $ref = `contract${response}/content/application~1json/schema`;
	return { operationId, method, path, schema: { $ref } };
});

/** Returns the endpoint of an operation. @throws if the contract has none */
export function endpointOf(operationId: string): Endpoint {
	const found = endpoints.find((endpoint) => endpoint.operationId === operationId);
	if (!found) throw new Error(`emulator/openapi.yaml has no ${operationId}`);
	return found;
}

/** Returns a place such as `data[].name`, without the texts of people that may be keys. */
const placeOf = (path: string): string =>
	path
		.slice(1)
		.split('/')
		.map((key) => (/^\d+$/.test(key) ? '[]' : /^[\w$.-]{1,40}$/.test(key) ? key : '<text>'))
		.join('.')
		.replaceAll('.[]', '[]');

/** Returns how a successful response differs from the contract, one sentence a difference. */
export function differences(operationId: string, body: unknown): string[] {
	const validate = ajv.compile(endpointOf(operationId).schema);
	if (validate(body)) return [];
	const sentences = (validate.errors ?? []).flatMap(
		({ keyword, instancePath, schemaPath, params, message = keyword }) => {
			// Every envelope may also be a failure.
			if (keyword === 'anyOf' || schemaPath.includes('/Failure/')) return [];
			const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty;
			const field = String(extra ?? params.missingProperty ?? '');
			const place = placeOf(field === '' ? instancePath : `${instancePath}/${field}`);
			if (extra !== undefined) return [`${place} is not in the API document`];
			if (keyword === 'required') return [`${place} is missing`];
			return [`${place} ${message} ${[params.allowedValues ?? []].flat().join(', ')}`.trim()];
		},
	);
	return [...new Set(sentences)].sort();
}
