import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import type { Fail } from './failure';
import { valuesOf } from './fieldTypes';
import { describeValue, fieldsIn, toChoice, toSwitch } from './values';

/** Checks the saved parameters of a node. @throws the error of the given function */
type SavedCheck = (saved: unknown, fail: Fail) => void;

/**
 * Returns a check of each choice and switch on which the display of other fields depends. If it is saved as plain text, it must
 * be exactly one of its values: for any other spelling, n8n has removed the fields of this choice (constructor of Workflow,
 * n8n-workflow 1.120.31 and 2.41.0). If it is an expression, n8n removes none. The error names the value to write.
 *
 * @param fields the fields of an operation or of the trigger
 */
export function savedChoicesCheck(fields: INodeProperties[]): SavedCheck {
	// In a collection, "/mode" is the field "mode" outside of it.
	const deciding = new Set(namesInConditions(fields).map((name) => name.replace('/', '')));
	const checks = fields.flatMap((field) => checksOf(field, deciding));
	return (saved, fail) => {
		for (const check of checks) check(saved, fail);
	};
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

/** Returns the checks of a field and of the fields in it. */
function checksOf(field: INodeProperties, deciding: ReadonlySet<string>): SavedCheck[] {
	const { name, type, options = [] } = field;
	const inner = options.flatMap((option) => {
		if ('type' in option) return checksOf(option, deciding);
		return 'values' in option ? rowChecks(option, deciding) : [];
	});
	const checks = inner.map(
		(check): SavedCheck =>
			(saved, fail) =>
				check(fieldsIn(saved)[name], fail),
	);
	// A text has no listed values.
	if (!deciding.has(name) || type === 'string') return checks;
	const values = valuesOf(options);
	return [(saved, fail) => checkChoice(fieldsIn(saved)[name], field, values, fail), ...checks];
}

/** Returns the checks of the rows of a form. The error says which row it is. */
function rowChecks(
	{ name, displayName, values }: INodePropertyCollection,
	deciding: ReadonlySet<string>,
): SavedCheck[] {
	const checks = values.flatMap((field) => checksOf(field, deciding));
	return checks.map((check): SavedCheck => (saved, fail) => {
		const rows: unknown = fieldsIn(saved)[name];
		for (const [index, row] of [rows].flat().entries()) {
			const place = Array.isArray(rows) ? `${displayName} ${index + 1}: ` : '';
			check(row, (message, advice) => fail(`${place}${message}`, advice));
		}
	});
}

/** Checks one saved choice or switch. */
function checkChoice(
	value: unknown,
	{ displayName: label, type }: INodeProperties,
	values: string[],
	fail: Fail,
): void {
	if (value === undefined || String(value).startsWith('=')) return;
	const field = { label, fail };
	const expected = type === 'boolean' ? toSwitch(value, field) : toChoice(value, values, field);
	if (expected === value) return;
	throw fail(
		`${label} must be ${JSON.stringify(expected)}, not ${describeValue(value)}`,
		'n8n compares saved values exactly, so it has removed the fields that belong to this choice. Choose the value from the list or write it exactly like this, and fill in its fields again. Nothing was sent.',
	);
}
