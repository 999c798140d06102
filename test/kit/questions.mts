import type { INodeParameters } from 'n8n-workflow';

/** The parameters of Launch, for a survey with one question and one recipient. */
export const LAUNCH: INodeParameters = {
	...{ resource: 'survey', operation: 'launch', name: 'Pulse', campaignDescription: 'D' },
	...{ questionsInput: 'text', questionsText: 'How was it? (rating: Bad … Great)' },
	...{ recipientsFrom: 'emails', recipientEmails: 'ada@example.com' },
};

/** One question of each type. Together, these questions have every field, with values that differ from the defaults. */
export const questions = [
	{
		templateCode: 'radio',
		title: 'Was it a good week?',
		desc: 'Be honest',
		required: false,
		questionId: 'good-week',
		fork: true,
		layout: 'Vertical',
		hideText: 'true',
		options: [{ value: 'Yes' }, { value: 'No', branchQuestions: ['what-went-wrong'] }],
	},
	{
		templateCode: 'textarea',
		title: 'What went wrong?',
		placeholder: 'In your own words',
		questionId: 'what-went-wrong',
		branch: true,
	},
	{ templateCode: 'input', title: 'Your team?' },
	{ templateCode: 'dropdown', title: 'Which office?', options: ['Oslo', 'Bergen'] },
	{ templateCode: 'multiselect', title: 'What do you like?', options: ['Team', 'Pay'] },
	{
		templateCode: 'matrix',
		title: 'How satisfied are you?',
		options: ['1', '2', '3'],
		matrixQuestions: ['My team', 'My tools'],
	},
	{ templateCode: 'rank', title: 'What matters most?', options: ['Pay', 'Time'] },
	{
		templateCode: 'rating',
		title: 'How likely are you to stay?',
		zeroLabel: 'Not at all',
		tenLabel: 'Very',
	},
	{ templateCode: 'date', title: 'When did you start?' },
	{ templateCode: 'time', title: 'When do you get up?' },
	{ templateCode: 'email', title: 'Where do we reach you?' },
	{ templateCode: 'number', title: 'How many meetings?', min: 0, max: 40, decimal: 0 },
];

/** Questions with the types and titles of `questions`, in the node's text form. */
export const questionsText = `
	Was it a good week? (radio: Yes, No → 2; layout: vertical; description: Be honest)
	What went wrong? (textarea; placeholder: In your own words)
	Your team? (input) *
	Which office? (dropdown: Oslo, Bergen)
	What do you like? (multiselect: Team, Pay)
	How satisfied are you? (matrix: My team, My tools; 1, 2, 3)
	What matters most? (rank: Pay, Time)
	How likely are you to stay? (rating: Not at all … Very)
	When did you start? (date)
	When do you get up? (time)
	Where do we reach you? (email)
	How many meetings? (number: 0 … 40; decimals: 0)
`;

/** Converts a question to an entry of the fixed collection in the node's form. */
function asInBuilder({
	options,
	matrixQuestions,
	hideText,
	...question
}: (typeof questions)[number]) {
	const built: INodeParameters = { ...question };
	if (hideText) built.hideText = true;
	if (matrixQuestions) built.matrixQuestions = matrixQuestions.join('\n');
	if (options) {
		built.options = {
			option: options.map((option) =>
				typeof option === 'string'
					? { value: option, branchQuestions: '' }
					: { value: option.value, branchQuestions: (option.branchQuestions ?? []).join() },
			),
		};
	}
	return built;
}

/** All of `questions`, as entries of the node's form. */
export const questionsInForm = questions.map(asInBuilder);
