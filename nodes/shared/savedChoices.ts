import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Fail } from './failure';
import { valuesOf } from './fieldTypes';
import { describeValue, fieldsIn, toChoice, toSwitch } from './values';

/**
 * Returns a check of each choice and switch on which the display of other fields depends. If it is saved as plain text, it must
 * be exactly one of its values: for any other spelling, n8n has removed the fields of this choice (constructor of Workflow,
 * n8n-workflow 1.120.31 and 2.41.0). If it is an expression, n8n removes none. The error names the value to write.
 *
 * @param fields the fields of an operation or of the trigger
 * @returns a function that takes the saved parameters of a node. It throws the error of the given function
 */
export function savedChoicesCheck(fields: INodeProperties[]) {
	// In a collection, "/mode" is the field "mode" outside of it.
	const deciding = new Set(namesInConditions(fields).map((name) => name.replace('/', '')));
	return (saved: unknown, fail: Fail) => checkFields(fields, fieldsIn(saved), deciding, fail);
}

/** Returns the names of the fields in display conditions. A notice has no value that n8n could remove. */
function namesInConditions(fields: INodeProperties[]): string[] {
	return fields.flatMap(({ type, displayOptions, options = [] }) => {
		const { show, hide } = type === 'notice' ? {} : (displayOptions ?? {});
		const inner = options.flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [...Object.keys({ ...show, ...hide }), ...namesInConditions(inner)];
	});
}

/** Checks fields, and the fields in them. In a form, the error says which row it is. */
function checkFields(
	fields: INodeProperties[],
	saved: IDataObject,
	deciding: ReadonlySet<string>,
	fail: Fail,
): void {
	for (const field of fields) {
		const { name, type, options = [] } = field;
		const value = saved[name];
		if (value === undefined) continue;
		// A text has no listed values.
		if (deciding.has(name) && type !== 'string') checkChoice(value, field, fail);
		const inner = fieldsIn(value);
		for (const option of options) {
			const rows = inner[option.name];
			if (rows === undefined) continue;
			if ('type' in option) checkFields([option], inner, deciding, fail);
			if (!('values' in option)) continue;
			for (const [index, row] of [rows].flat().entries()) {
				const place = Array.isArray(rows) ? `${option.displayName} ${index + 1}: ` : '';
				checkFields(option.values, fieldsIn(row), deciding, (message, advice) =>
					fail(`${place}${message}`, advice),
				);
			}
		}
	}
}

/** Checks one saved choice or switch. */
function checkChoice(
	value: unknown,
	{ displayName: label, type, options = [] }: INodeProperties,
	fail: Fail,
): void {
	if (String(value).startsWith('=')) return;
	const field = { label, fail };
	const expected =
		type === 'boolean' ? toSwitch(value, field) : toChoice(value, valuesOf(options), field);
	if (expected === value) return;
	throw fail(
		`${label} must be ${JSON.stringify(expected)}, not ${describeValue(value)}`,
		'n8n compares saved values exactly, so it has removed the fields that belong to this choice. Choose the value from the list or write it exactly like this, and fill in its fields again. Nothing was sent.',
	);
}
