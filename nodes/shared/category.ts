import type { INodeProperties } from 'n8n-workflow';

/** Filters a list by one category (campaign.getAll, template.getAll in emulator/openapi.yaml). */
export const category: INodeProperties = {
	displayName: 'Category Name or ID',
	name: 'category',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getCategories' },
	default: '',
	description:
		'Only records in this category. The list has the categories of your templates and campaigns. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};
