import {
	eligibleFirst,
	onlyEligible,
} from '../../nodes/MessagingService/methods/eligibleStatuses.ts';
import type { DropDownEntry } from '../../nodes/shared/lists/dropDownEntry.ts';

const entry = (name: string, status?: string, id = `id of ${name}`): DropDownEntry => ({
	...{ id, name, label: name, status },
});

const found = (entries: DropDownEntry[], filter: string, operation = ''): string[] =>
	eligibleFirst(entries, filter, operation).map(({ name }) => name);

describe('a search', () => {
	test('lists exact names first, then names that contain the text, without changing the order within either part', () => {
		const entries = ['Pulse 2', 'The pulse', 'PULSE', 'Party'].map((name) => entry(name));
		expect(found(entries, ' pulse ')).toEqual(['PULSE', 'Pulse 2', 'The pulse']);
		expect(found(entries, '')).toEqual(['Pulse 2', 'The pulse', 'PULSE', 'Party']);
	});

	test('finds a record by its ID only if the ID is complete', () => {
		const entries = [entry('Cafe', undefined, '64f1c0ffee'), entry('Team 64F1', undefined, '7')];
		expect(found(entries, '64f1')).toEqual(['Team 64F1']);
		expect(found(entries, '64F1C0FFEE')).toEqual(['Cafe']);
	});
});

describe('eligibility for an operation', () => {
	const entries = ['0', '9', undefined, '1', '3', '4'].map((code) => entry(`x${code}`, code));

	test('lists eligible entries first, then entries with an unknown status, then the other entries', () => {
		expect(found(entries, 'x', 'campaign.send').join(' ')).toBe('x0 x4 x9 xundefined x1 x3');
		expect(found(entries, 'X3', 'campaign.send')).toEqual(['x3']);
	});

	test.each([
		['survey.getResponses', 'x1 x3 x9 xundefined'],
		['broadcast.delete', 'x0 x3 x4 x9 xundefined'],
		['channel.archive', 'x1 x0 x9 xundefined x4'],
		['campaign.unknown', 'x0 x9 xundefined x1 x3 x4'],
	])('omits entries that %s refuses', (operation, expected) => {
		const names = onlyEligible(entries, operation).map(({ name }) => name);
		expect(names.join(' ')).toBe(expected);
	});
});
