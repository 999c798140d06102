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
		description: 'What to wait for; each event gives an item of its own',
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		options: [
			{
				name: 'All Campaigns',
				value: 'all',
				description: 'Every survey that went live lately, and those still to come',
			},
			{
				name: 'Selected Campaigns',
				value: 'selected',
				description: 'The campaigns that you choose',
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
			'Surveys whose responses to wait for. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
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
					'How many days a survey is watched after it went live; later responses are not noticed',
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
				description: 'The row as the service gives it, answers as q.0, q.1 …',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'Who responded, when, and the answers under the titles of the questions',
			},
		],
		default: 'simplified',
		description: 'What the items hold',
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
					'Whether to start with everything that is there already when the workflow is switched on, instead of only what comes later',
			},
			{
				displayName: 'Max Read Gap (Minutes)',
				name: 'maxReadGapMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 5,
				description:
					'How long a live campaign that brings nothing may go unread. The longer its last news ago, the longer the gap, up to this time. 0 reads every live campaign at every poll.',
			},
		],
	},
];
