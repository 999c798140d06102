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
				description: 'Every recent survey, and future ones',
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
			'Surveys to watch. The service does not mark surveys in its list of campaigns: choosing a campaign that is none fails when the workflow is published, with its name. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
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
					'Days to watch a survey after it went live. Later responses, and a later closing, are ignored.',
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
				description: "The service's own row, with answers as q.0, q.1 …",
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'Respondent, time, and the answers under the titles of the questions',
			},
			{
				name: 'Table',
				value: 'table',
				description:
					'The same with each question as a field of its own, for spreadsheets and databases',
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
					'Whether to emit existing responses, too, when the workflow is first published. Surveys that are closed already emit no Survey Closed.',
			},
			{
				displayName: 'Max Read Gap (Minutes)',
				name: 'maxReadGapMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 5,
				description:
					'Longest time between two reads of a live campaign. Campaigns without recent events are read less often, up to this gap. 0 reads every live campaign at every poll.',
			},
		],
	},
];
