import { contractOperations, resolvedContract } from '../../emulator/emulator.mts';
import type { Schema } from '../../emulator/contract.mts';

/** One endpoint of the contract. */
export type Endpoint = {
	/** `<resource>.<operation>`, named like the node's operations. */
	operationId: string;
	method: string;
	/** Path with its parameters in braces: `/int/v1/campaign/{id}`. */
	path: string;
	/** Names of query parameters and body fields. A nested name has dots: `recipients.email`. */
	fields: string[];
};

/** Returns the question types that the contract lists (schema SurveyQuestion). */
export function documentedQuestionTypes(): string[] {
	const { SurveyQuestion } = resolvedContract.components.schemas;
	return (SurveyQuestion?.properties?.templateCode?.enum ?? []).map(String);
}

/** Returns every endpoint of the contract with all fields of its requests. */
export function documentedEndpoints(): Endpoint[] {
	const fieldsOf = (schema: Schema, prefix = ''): string[] => {
		const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema;
		const own = Object.entries(properties).flatMap(([name, inner]) => [
			`${prefix}${name}`,
			...fieldsOf(inner, `${prefix}${name}.`),
		]);
		const parts = [...allOf, ...anyOf, ...oneOf, ...(items ? [items] : [])];
		return [...own, ...parts.flatMap((part) => fieldsOf(part, prefix))];
	};
	return contractOperations.map((operation) => {
		const { operationId, method, path, parameters = [], requestBody } = operation;
		const query = parameters.filter((parameter) => parameter.in === 'query');
		const bodies = Object.values(requestBody?.content ?? {});
		const names = [
			...query.map(({ name }) => name),
			...bodies.flatMap(({ schema }) => fieldsOf(schema)),
		];
		return { operationId, method: method.toUpperCase(), path, fields: [...new Set(names)].sort() };
	});
}
