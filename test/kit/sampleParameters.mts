import { createRequire } from 'node:module';
import { join } from 'node:path';

import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeType,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { questionsInForm } from './questions.mts';

type Listed = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** The part of an operation's declaration that tests use. */
type Declared = {
	endpoint?: [method: string, path: string];
	acceptsStatus?: string[];
	sends?: object;
	claim?: unknown;
	isLocal?: true;
};

const built: (file: string) => {
	MessagingService: new () => INodeType;
	resources: Record<string, Record<string, Declared>>;
} = createRequire(join(process.env.PACKAGE_FOLDER ?? process.cwd(), 'package.json'));

/** `npm run mutation` uses the sources, as in `engine.mts`. */
const [folder, type] = process.env.MUTATION ? ['nodes', 'ts'] : ['dist/nodes', 'js'];
const { MessagingService } = built(`./${folder}/MessagingService/MessagingService.node.${type}`);

const { resources } = built(`./${folder}/MessagingService/resources/index.${type}`);

/** The declarations of all operations, as `resource.operation`. */
export const declared = new Map<string, Declared>(
	Object.entries(resources).flatMap(([resource, all]) =>
		Object.entries(all).map(([value, operation]) => [`${resource}.${value}`, operation] as const),
	),
);

/** All fields of the node. */
export const { properties } = new MessagingService().description;

/** Returns a value for one field, `null` to omit this field, or `undefined` for the generic value. */
export type FillIn = (
	field: INodeProperties,
	parameters: INodeParameters,
) => NodeParameterValueType | undefined;

/** The maximum number of variants of an operation's parameters. More variants would show nothing new. */
const MOST_VARIANTS = 12;

/**
 * Returns variants of an operation's parameters, each with every visible field filled in. There are as many variants as the
 * longest drop-down has options (at most 12), so together they show every field. All variants come from the node's
 * description, so the coverage test detects a new field that is not sent.
 */
export function sampleParameters(resource: string, operation: string): INodeParameters[] {
	return Array.from({ length: variantsOf(resource, operation) }, (_, variant) =>
		parametersOf(resource, operation, variant),
	);
}

/** Returns the number of variants of an operation's parameters. */
export function variantsOf(resource: string, operation: string): number {
	let count = 1;
	for (let variant = 0; variant < count; variant++) {
		const parameters = parametersOf(resource, operation, variant);
		const choices = shownIn(parameters).map(longestChoice);
		count = Math.min(MOST_VARIANTS, Math.max(count, ...choices));
	}
	return count;
}

/** Returns one variant of an operation's parameters. The first variant has the number 0. */
export function parametersOf(
	resource: string,
	operation: string,
	variant: number,
	fillIn: FillIn = () => undefined,
): INodeParameters {
	const parameters: INodeParameters = { resource, operation };
	for (const property of properties) {
		// n8n adds Request Options to every declarative node. A notice has no value.
		if (property.name === 'requestOptions' || property.type === 'notice') continue;
		if (property.name in parameters || !isShown(property, parameters)) continue;
		const value = sampleValue(property, variant, (field) => fillIn(field, parameters));
		if (value !== null) parameters[property.name] = value;
		// A broadcast to nobody can only be a draft.
		const isForNobody = property.name === 'status' && parameters.recipientsFrom === 'none';
		if (isForNobody) parameters.status = 'draft';
	}
	return parameters;
}

/** All operations on the screen, as `[resource, operation]`. */
export const operationsOnScreen = properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ options = [], displayOptions }) =>
		options.map((option): [string, string] => [
			String(displayOptions?.show?.resource?.[0]),
			'value' in option ? String(option.value) : '',
		]),
	);

/** Returns the fields that are filled in and visible with these parameters. */
export const shownIn = (parameters: INodeParameters): INodeProperties[] =>
	properties.filter((property) => property.name in parameters && isShown(property, parameters));

/** Returns the path of a field, for example `['additionalFields', 'title']`, or the paths of the fields in it. */
export function leavesOf(property: INodeProperties, path: string[] = []): string[][] {
	const own = [...path, property.name];
	if (property.type !== 'collection' && property.type !== 'fixedCollection') return [own];
	return (property.options ?? []).flatMap((option) => {
		if ('values' in option)
			return option.values.flatMap((field) => leavesOf(field, [...own, option.name]));
		return 'type' in option ? leavesOf(option, own) : [];
	});
}

/** Whether a property is visible with these parameters. */
export const isShown = (property: INodeProperties, parameters: INodeParameters): boolean =>
	NodeHelpers.displayParameter(parameters, property, null, null);

function longestChoice(property: INodeProperties): number {
	const options: Listed[] = property.options ?? [];
	if (property.type === 'options') return options.length;
	return Math.max(1, ...options.map((option) => ('type' in option ? longestChoice(option) : 1)));
}

function sampleValue(
	property: INodeProperties,
	variant: number,
	fillIn: (field: INodeProperties) => NodeParameterValueType | undefined,
): NodeParameterValueType {
	const { name, type, options = [], typeOptions } = property;
	const given = fillIn(property);
	if (given !== undefined) return given;
	const filled = (fields: INodeProperties[]): INodeParameters =>
		Object.fromEntries(
			fields
				.map((field) => [field.name, sampleValue(field, variant, fillIn)] as const)
				.filter(([, value]) => value !== null),
		);
	switch (type) {
		case 'resourceLocator':
			return { __rl: true, mode: 'id', value: `ID-${name}` };
		case 'options':
			return typeOptions?.loadOptionsMethod ? 'x' : nth(options, variant);
		case 'multiOptions':
			return typeOptions?.loadOptionsMethod ? ['x'] : [String(nth(options, variant))];
		case 'boolean':
			// Turns on Return All, so that an operation that lists records requests all pages.
			return true;
		case 'number':
			return 5;
		case 'dateTime':
			return '2099-01-31T09:15:00';
		case 'color':
			return '#123456';
		case 'json':
			return name === 'questionsJson' ? '[{"templateCode":"input","title":"T"}]' : '{"a":1}';
		case 'collection':
			return filled(options.filter((option) => 'type' in option));
		case 'fixedCollection':
			if (name === 'questions') return { question: questionsInForm };
			return Object.fromEntries(
				options
					.filter((option) => 'values' in option)
					.map((option) => {
						const values = filled(option.values);
						return [option.name, typeOptions?.multipleValues ? [values] : values];
					}),
			);
		default:
			if (name === 'questionsText') return 'T (input)';
			if (name === 'leftValues') return 'left';
			if (/email/i.test(name)) return 'ada@example.com';
			if (name === 'imageUrl') return 'https://example.com/x.png';
			return name === 'binaryPropertyName' ? 'data' : 'x';
	}
}

function nth(options: Listed[], variant: number): NodeParameterValueType {
	const option = options[variant % options.length];
	return option && 'value' in option ? option.value : 'x';
}
