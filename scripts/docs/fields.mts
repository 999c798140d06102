import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

type Choice = Pick<INodePropertyOptions, 'name' | 'value' | 'description' | 'action' | 'routing'>;

/** Words for values in conditions, defaults and examples. */
const WORDS: Record<string, string> = {
	true: 'on',
	false: 'off',
	'{"_cnd":{"not":true}}': 'off',
	'{"_cnd":{"between":{"from":"=","to":">"}}}': 'an expression',
};

/**
 * Fields that the pages do not list. Two select the operation, one has a separate page, and n8n adds one to every
 * trigger.
 */
const NOT_LISTED = ['resource', 'operation', 'requestOptions', 'pollTimes'];

/** Whether a page lists the field. */
export const isListed = ({ name, type }: INodeProperties): boolean =>
	!NOT_LISTED.includes(name) && type !== 'notice' && type !== 'hidden';

export const isCollection = ({ type }: INodeProperties): boolean =>
	type === 'collection' || type === 'fixedCollection';

/** Returns the fields in a collection: one list for each kind of entry. The default of the collection overrides theirs. */
export function collectionsIn(field: INodeProperties): INodeProperties[][] {
	const { type, options = [] } = field;
	if (type === 'collection')
		return [options.flatMap((option) => ('type' in option ? [option] : []))];
	if (type !== 'fixedCollection') return [];
	const defaults = valuesIn(field.default);
	return options.flatMap((kind) => {
		if (!('values' in kind)) return [];
		const own = valuesIn(defaults[kind.name]);
		return [kind.values.map((inner) => ({ ...inner, default: own[inner.name] ?? inner.default }))];
	});
}

type Values = Record<string, INodeProperties['default']>;

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null;

const valuesIn = (value: unknown): Values => (isValues(value) ? value : {});

/** Returns the choices of a field, or an empty list if it has none. */
export function choicesOf(field: INodeProperties | undefined): Choice[] {
	return (field?.options ?? []).flatMap((option) => ('value' in option ? [option] : []));
}

/** Returns a value as the screen shows it: the name of a choice, `on` or `off`. */
export function valueInWords(value: unknown, field?: INodeProperties): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return choicesOf(field).find((one) => one.value === value)?.name ?? WORDS[text] ?? text;
}

/** Joins texts on one line and adds missing full stops. */
export function sentences(...texts: Array<string | undefined>): string {
	return texts
		.map((text = '') => text.replace(/\s+/g, ' ').trim())
		.filter((text) => text !== '')
		.map((text) => (/[.:!?]$|^<br>/.test(text) ? text : `${text}.`))
		.join(' ');
}
