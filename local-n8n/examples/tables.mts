import type { NewTable, Row } from '../n8n/data-tables.mts';

/** The data tables that the recipes describe, with rows for a try-out. */
export const tables: NewTable[] = [
	{
		name: 'Pulse results',
		columns: {
			campaignId: 'string',
			survey: 'string',
			round: 'string',
			question: 'string',
			team: 'string',
			average: 'number',
		},
	},
	{
		name: 'Keep list',
		columns: { recipientGroup: 'string', email: 'string' },
		rows: [
			{ recipientGroup: 'All employees (keep list)', email: 'ada@example.com' },
			{ recipientGroup: 'All employees (keep list)', email: 'grace@example.com' },
		],
	},
	{
		name: 'Unknown people',
		columns: {
			...{ email: 'string', employeeId: 'string', reason: 'string' },
			...{ lastSeen: 'date', mailedOn: 'date' },
		},
	},
	{
		name: 'Sync log',
		columns: {
			recipientGroup: 'string',
			people: 'number',
			added: 'number',
			removed: 'number',
			unknown: 'number',
			invalid: 'number',
			failed: 'number',
			note: 'string',
		},
	},
];

/**
 * Returns the rows of twelve rounds of a pulse survey. In two rounds, the average of HR is missing because too few people
 * answered.
 */
export function pulseRounds(): Row[] {
	const averages = {
		'(everybody)': [6.1, 6.3, 6.2, 6.6, 6.9, 7.1, 7, 7.2, 6.8, 7.3, 7.4, 7.6],
		Engineering: [6.4, 6.6, 6.1, 6.9, 7.2, 7.3, 7.2, 7.1, 6.9, 7.4, 7.5, 7.7],
		HR: [7, 7.1, 7.2, null, null, 7.4, 7.3, 7.5, 7.6, 7.5, 7.7, 7.8],
		Sales: [5.3, 5.5, 5.4, 5.8, 6.2, 6.6, 6.4, 6.9, 6.1, 6.8, 7, 7.2],
	};
	return Object.entries(averages).flatMap(([team, values]) =>
		values.map((average, index) => {
			const day = new Date(Date.UTC(2026, 0, 6 + index * 14)).toISOString().slice(0, 10);
			const question = 'How do you feel at work?';
			return { campaignId: day, survey: `Pulse ${day}`, round: day, question, team, average };
		}),
	);
}
