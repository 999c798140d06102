import type { Execution } from '../n8n/n8n-rest.mts';

export const hrExample = {
	file: 'hr-records-into-recipient-group.json',
	trigger: 'When clicking Execute workflow',
	group: 'All employees',
};

/** What one run of the example "HR records into a recipient group" did. */
export interface HrReport {
	read: number;
	left: number;
	added: number;
	alreadyThere: number;
	refused: number;
}

/** Reads the outcome from the nodes' output, as a user sees it in the editor. */
export function hrReport(execution: Execution): HrReport {
	if (execution.error !== undefined)
		throw new Error(`The example workflow failed: ${execution.error}`);
	const read = execution.items('HR records').length;
	const lines = execution.items('Report');
	const count = (result: 'added' | 'already there' | 'refused') =>
		lines.filter(({ json }) => json.result === result).length;
	return {
		read,
		left: read - execution.items('Still employed').length,
		added: count('added'),
		alreadyThere: count('already there'),
		refused: count('refused'),
	};
}

/** Says why a group is not what the HR records make it, or undefined when it is. */
export function membersProblem(
	group: string,
	expected: string[],
	actual: string[],
): string | undefined {
	const missing = expected.filter((email) => !actual.includes(email));
	const surplus = actual.filter((email) => !expected.includes(email));
	if (missing.length === 0 && surplus.length === 0) return undefined;
	return (
		`The group "${group}" should hold ${expected.length} people and holds ${actual.length}.` +
		(missing.length > 0 ? ` Missing: ${someOf(missing)}.` : '') +
		(surplus.length > 0 ? ` Not expected: ${someOf(surplus)}.` : '')
	);
}

function someOf(emails: string[]): string {
	const shown = emails.slice(0, 5).join(', ');
	return emails.length > 5 ? `${shown} and ${emails.length - 5} more` : shown;
}
