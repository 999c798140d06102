import type { NewTable } from '../n8n/data-tables.mts';

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
