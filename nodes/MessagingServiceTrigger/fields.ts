import type { INodeProperties } from 'n8n-workflow';

import { category } from '../shared/category';
import { scope } from '../shared/scope';
import { eventOptions } from './events';

/** The parameters of the trigger (docs/conventions.md, Trigger). */
export const fields: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: eventOptions,
		default: ['surveySubmitted'],
		required: true,
		description: 'Events that start the workflow, with one item per event',
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		options: [
			{
				name: 'All Campaigns',
				value: 'all',
				description: 'All recent and future surveys',
			},
			{
				name: 'Selected Campaigns',
				value: 'selected',
				description: 'The campaigns that you select',
			},
		],
		default: 'selected',
		description: 'Which campaigns to watch',
	},
	{
		displayName: 'Campaign Names or IDs',
		name: 'campaignIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getCampaigns' },
		default: [],
		required: true,
		displayOptions: { show: { watch: ['selected'] } },
		description:
			'Surveys to watch. The list shows all campaigns, because the service does not mark surveys. If you choose a campaign that is not a survey, publishing the workflow fails, and the error names the campaign. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show: { watch: ['all'] } },
		options: [
			category,
			{
				displayName: 'Live Within Days',
				name: 'liveWithinDays',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 90,
				description:
					'Number of days to watch a survey after it went live. Later responses and a later closing are ignored.',
			},
			scope,
		],
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: "The service's own row, with answers named q.0, q.1 …",
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'Respondent, time, and answers under the question titles',
			},
			{
				name: 'Table',
				value: 'table',
				description: 'Respondent, time, and one field per question, for spreadsheets and databases',
			},
		],
		default: 'simplified',
		description: 'Format of the output',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Emit Existing',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether to also emit existing responses when the workflow is first published. Surveys that are already closed emit no Survey Closed event.',
			},
			{
				displayName: 'Max Read Gap (Minutes)',
				name: 'maxReadGapMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 5,
				description:
					'Longest time between two reads of a live campaign. Campaigns with recent events are read more often. With 0, every live campaign is read at every poll.',
			},
		],
	},
];
