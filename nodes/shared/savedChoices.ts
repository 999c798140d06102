import type { INode, INodeProperties } from 'n8n-workflow';

import type { Fail } from './failure';
import { valuesOf } from './fieldTypes';
import { fieldsIn, toChoice, toSwitch } from './values';
import { describeValue } from './values/any';

/**
 * Checks each choice and switch on which the display of other fields depends. If it is saved as plain text, it must be exactly
 * one of its values: for any other spelling, n8n has removed the fields of this choice (constructor of Workflow, n8n-workflow
 * 1.120.31 and 2.41.0). If it is an expression, n8n removes none.
 *
 * @param fields the fields of an operation or of the trigger
 * @throws the error of `fail`, which names the value to write
 */
export function checkSavedChoices(
	fields: INodeProperties[],
	{ parameters }: INode,
	fail: Fail,
): void {
	// In a collection, "/mode" is the field "mode" outside of it.
	const deciding = namesInConditions(fields).map((name) => name.replace('/', ''));
	checkValues(fields, parameters, new Set(deciding), fail);
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

/** Checks the deciding fields, also those in collections. The error for a row of a form says which one it is. */
function checkValues(
	fields: INodeProperties[],
	saved: unknown,
	deciding: ReadonlySet<string>,
	fail: Fail,
): void {
	for (const field of fields) {
		const value: unknown = fieldsIn(saved)[field.name];
		if (deciding.has(field.name)) checkChoice(value, field, fail);
		for (const option of field.options ?? []) {
			if ('type' in option) checkValues([option], value, deciding, fail);
			if (!('values' in option)) continue;
			const rows: unknown = fieldsIn(value)[option.name];
			for (const [index, row] of [rows].flat().entries()) {
				const place = Array.isArray(rows) ? `${option.displayName} ${index + 1}: ` : '';
				const failInRow: Fail = (message, advice) => fail(`${place}${message}`, advice);
				checkValues(option.values, row, deciding, failInRow);
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
	// A text has no listed values.
	if (value === undefined || String(value).startsWith('=') || type === 'string') return;
	const field = { label, fail };
	const expected =
		type === 'boolean' ? toSwitch(value, field) : toChoice(value, valuesOf(options), field);
	if (expected === value) return;
	throw fail(
		`${label} must be ${JSON.stringify(expected)}, not ${describeValue(value)}`,
		'n8n compares saved values exactly, so it has removed the fields that belong to this choice. Choose the value from the list or write it exactly like this, and fill in its fields again. Nothing was sent.',
	);
}
