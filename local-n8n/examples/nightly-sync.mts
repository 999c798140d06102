import { z } from 'zod';
import type { Execution } from '../n8n/n8n-rest.mts';

export const nightlySync = {
	file: 'nightly-group-sync.json',
	name: 'Nightly group sync',
	trigger: 'When clicking Execute workflow',
	group: 'All employees (nightly)',
};

/** A person whom the workflow reports as unknown to the service. */
const unknownPerson = z.object({ employeeId: z.string(), email: z.string(), reason: z.string() });

/** The result of a run of the example "Nightly group sync". */
export interface NightlyReport {
	read: number;
	left: number;
	/** The number of people by status: added, alreadyMember, removed … */
	counts: Record<string, number>;
	unknown: z.infer<typeof unknownPerson>[];
}

/** Reads the result from the output of the nodes, as a user does in the editor. */
export function nightlyReport(execution: Execution): NightlyReport {
	if (execution.error !== undefined)
		throw new Error(`The example workflow failed: ${execution.error}`);
	const read = execution.items('HR records').length;
	const counts: NightlyReport['counts'] = {};
	for (const { json } of execution.items('Totals')) {
		counts[String(json.status)] = Number(json.count_status);
	}
	return {
		read,
		left: read - execution.items('Still employed').length,
		counts,
		unknown: execution.items('Who was unknown').map(({ json }) => unknownPerson.parse(json)),
	};
}

/** Formats the report as text for the terminal. */
export function nightlyReportText({ read, left, counts, unknown }: NightlyReport): string {
	const lines: Array<[number, string]> = [
		[read, 'HR records read'],
		[left, 'have left the company and were skipped'],
		[counts.added ?? 0, `added to the group "${nightlySync.group}"`],
		[counts.alreadyMember ?? 0, 'already in the group'],
		[counts.removed ?? 0, 'removed from the group'],
		[counts.duplicate ?? 0, 'duplicates in the HR records'],
		[unknown.length, 'unknown to the service:'],
	];
	return [
		...lines.map(([count, text]) => `  ${String(count).padStart(4)}  ${text}`),
		...unknown.map(
			({ employeeId, email, reason }) =>
				`        ${employeeId}  ${email || '(no address)'}: ${reason}`,
		),
	].join('\n');
}
