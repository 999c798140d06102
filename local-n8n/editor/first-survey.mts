import type { Editor } from './editor.mts';

/** The survey of docs/first-survey.md. */
export const firstSurvey = {
	name: 'How are you settling in?',
	description: 'Three questions, one minute',
	questions: [
		'How was your first week? (rating: Bad … Great) *',
		'Do you have everything you need? (radio: Yes, No → 3)',
		'What is missing? (textarea)',
	],
	group: 'New joiners',
};

/** The steps that have a picture in docs/first-survey.md. */
export type FirstSurveyStep = 'find' | 'fill' | 'sent';

/**
 * Builds and runs the survey of docs/first-survey.md click by click, like a new user.
 *
 * @param look called for each step with a picture, when this step is on the screen
 */
export async function buildFirstSurvey(
	{ open, page }: Editor,
	{ credential }: { credential: { name: string } },
	look: (step: FirstSurveyStep) => Promise<void>,
): Promise<void> {
	const panel = page.getByTestId('node-creator');
	const search = panel.locator('input').first();
	const found = panel.getByTestId('item-iterator-item');

	await open('/workflow/new');
	await page.getByTestId('canvas-add-button').locator('button').first().click();
	await found.filter({ hasText: 'Trigger manually' }).first().click();
	await page.getByTestId('canvas-node').waitFor();

	await page.getByTestId('node-creator-plus-button').first().click();
	await search.fill('employee survey');
	await found.filter({ hasText: 'Messaging Service' }).first().click();
	const launch = found.filter({ hasText: 'Launch survey' });
	await launch.scrollIntoViewIfNeeded();
	await look('find');
	await launch.click();

	const parameters = page.getByTestId('node-parameters').first();
	const field = (name: string) => parameters.getByTestId(`parameter-input-${name}`);
	const choose = async (name: string, choice: string) => {
		// A drop-down list is enabled only after the editor has loaded its entries.
		await field(name).locator('input:enabled').first().waitFor();
		await field(name).locator('.select-trigger').click();
		await page.getByRole('option', { name: choice }).filter({ visible: true }).first().click();
	};
	await page.getByTestId('node-credentials-select').locator('input').click();
	await page.getByRole('option', { name: credential.name }).filter({ visible: true }).click();
	await field('name').locator('input').fill(firstSurvey.name);
	await field('campaignDescription').locator('textarea').fill(firstSurvey.description);
	await field('questionsText').locator('textarea').fill(firstSurvey.questions.join('\n'));
	await choose('recipientsFrom', 'Recipient Groups');
	await choose('recipientGroups', firstSurvey.group);
	await page.keyboard.press('Escape');
	await field('sendNow')
		.getByRole('switch')
		.or(field('sendNow').locator('.el-switch'))
		.first()
		.click();
	await parameters.getByText('The survey goes out to the recipients above').waitFor();
	await look('fill');

	await page.getByTestId('node-execute-button').first().click();
	await page
		.getByTestId('output-panel')
		.or(page.getByTestId('ndv-output-panel'))
		.getByText('campaignUrl')
		.first()
		.waitFor();
	await look('sent');
}
