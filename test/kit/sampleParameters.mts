import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodeParameterValueType,
} from 'n8n-workflow';

import { questionsInForm } from './samples.mts';

type Listed = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/**
 * Made from the description of the node, so that a field that somebody adds is filled in without being told of: the coverage
 * test finds it unsent. The values mean nothing; samples.mts has those that the service takes, by hand, and shows what comes out.
 *
 * Parameters for one operation with every field filled in that the screen shows, in as many variants as the longest
 * choice has options: together they show and fill every field.
 */
export function sampleParameters(
	properties: INodeProperties[],
	resource: string,
	operation: string,
): INodeParameters[] {
	const variants: INodeParameters[] = [];
	let count = 1;
	for (let variant = 0; variant < count; variant++) {
		const parameters: INodeParameters = { resource, operation };
		for (const property of properties) {
			// Request Options are n8n's own; it adds them to every declarative node. A notice holds no value.
			if (property.name === 'requestOptions' || property.type === 'notice') continue;
			if (property.name in parameters || !isShown(property, parameters)) continue;
			const choices = longestChoice(property);
			count = Math.max(count, Math.min(choices, 12));
			parameters[property.name] = sampleValue(property, variant);
		}
		variants.push(parameters);
	}
	return variants;
}

/** All operations as `[resource, operation]`. */
export function operationsOf(properties: INodeProperties[]): Array<[string, string]> {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			options.map((option): [string, string] => [
				String(displayOptions?.show?.resource?.[0]),
				'value' in option ? String(option.value) : '',
			]),
		);
}

/** The names of all parameters that an operation shows in some variant; nested ones with dots. */
export function parameterNames(
	properties: INodeProperties[],
	variants: INodeParameters[],
): string[] {
	const names = new Set<string>();
	for (const parameters of variants) {
		for (const property of properties) {
			if (!(property.name in parameters) || !isShown(property, parameters)) continue;
			for (const name of namesOf(property)) names.add(name);
		}
	}
	return [...names];
}

function namesOf(property: INodeProperties, prefix = ''): string[] {
	const name = `${prefix}${property.name}`;
	const inner = property.type === 'collection' || property.type === 'fixedCollection';
	if (!inner) return [name];
	return [
		name,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values.flatMap((value) => namesOf(value, `${name}.`));
			return 'type' in option ? namesOf(option, `${name}.`) : [];
		}),
	];
}

function isShown({ displayOptions }: INodeProperties, parameters: INodeParameters): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
		(values ?? []).some((value) => value === parameters[name]),
	);
}

function longestChoice(property: INodeProperties): number {
	const options: Listed[] = property.options ?? [];
	if (property.type === 'options') return options.length;
	return Math.max(1, ...options.map((option) => ('type' in option ? longestChoice(option) : 1)));
}

function sampleValue(property: INodeProperties, variant: number): NodeParameterValueType {
	const { name, type, options = [], typeOptions } = property;
	switch (type) {
		case 'resourceLocator':
			return { __rl: true, mode: 'id', value: `ID-${name}` };
		case 'options':
			return typeOptions?.loadOptionsMethod ? 'x' : nth(options, variant);
		case 'multiOptions':
			return typeOptions?.loadOptionsMethod ? ['x'] : [String(nth(options, variant))];
		case 'boolean':
			// Return All, so that a list asks for its next page.
			return true;
		case 'number':
			return 5;
		case 'dateTime':
			return '2099-01-31T09:15:00';
		case 'color':
			return '#123456';
		case 'json':
			return name === 'questionsJson' ? '[{"templateCode":"input","title":"T"}]' : '{"a":1}';
		case 'collection': {
			const filled: INodeParameters = {};
			for (const option of options) {
				if ('type' in option) filled[option.name] = sampleValue(option, variant);
			}
			return filled;
		}
		case 'fixedCollection': {
			if (name === 'questions') return { question: questionsInForm };
			const filled: INodeParameters = {};
			for (const option of options) {
				if (!('values' in option)) continue;
				filled[option.name] = [
					Object.fromEntries(
						option.values.map((value) => [value.name, sampleValue(value, variant)]),
					),
				];
			}
			return filled;
		}
		default:
			if (name === 'questionsText') return 'T (input)';
			return name === 'binaryPropertyName' ? 'data' : 'x';
	}
}

function nth(options: Listed[], variant: number): NodeParameterValueType {
	const option = options[variant % options.length];
	return option && 'value' in option ? option.value : 'x';
}
