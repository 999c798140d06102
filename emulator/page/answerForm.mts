import type { ParsedUrlQuery } from 'node:querystring';
import { openersOf, withoutClosedBranches } from '../state/surveyAnswers.mts';
import type { Campaign } from '../state/campaign.mts';
import type { Json } from '../state/json.mts';
import { displayName, type Person } from '../state/people.mts';
import {
	optionValues,
	type OptionValue,
	type Question,
	type QuestionType,
	type Survey,
} from '../state/survey.mts';
import { html, Html } from './html.mts';
import { page } from './layout.mts';

/** Whether a question must be answered. Branch questions are optional, because not everybody is asked them. */
const isRequired = (question: Question): boolean =>
	(question.required ?? true) && question.branch !== true;

/** Returns the choices of a question, or undefined if people write the answer. */
function choicesOf({ templateCode, options }: Question): OptionValue[] | undefined {
	if (templateCode === 'rating') return [...Array(11).keys()];
	return options === undefined ? undefined : optionValues(options);
}

/** Returns the labels of the fields if a question has several: the rows of a matrix, or the places of a ranking. */
function partsOf({ templateCode, matrixQuestions = [], options = [] }: Question): string[] {
	if (templateCode === 'matrix') return matrixQuestions;
	return templateCode === 'rank' ? options.map((_option, place) => `Place ${place + 1}`) : [];
}

/** The question types that show a button for each choice. The others show a drop-down list. */
const buttons: Partial<Record<QuestionType, 'radio' | 'checkbox'>> = {
	radio: 'radio',
	rating: 'radio',
	multiselect: 'checkbox',
};

const optionId = (question: number, option: number): string => `q${question}-${option}`;

/** Returns the CSS that shows each branch question while an option that opens it is chosen. */
function branchStyle(questions: readonly Question[]): Html {
	const rules = questions.map((question, index) => {
		const openers = openersOf(questions, question).map((at) => `#${optionId(...at)}:checked`);
		return `form:has(${openers.join(', ')}) #question${index} { display: block; }`;
	});
	return new Html(`<style>${rules.join('\n')}</style>`);
}

function fields(question: Question, index: number): Html {
	const { templateCode, title, placeholder = '', min = '', max = '' } = question;
	const { zeroLabel = '', tenLabel = '' } = question;
	const choices = choicesOf(question);
	const field = (label: string, part = ''): Html => {
		const required = isRequired(question) ? new Html('required') : '';
		const common = html`name="q${index}${part}" aria-label="${label}" ${required}`;
		const idOf = (option: number) => html`id="${optionId(index, option)}"`;
		const button = buttons[templateCode];
		if (choices !== undefined && button !== undefined) {
			const needed = button === 'radio' ? required : '';
			const options = choices.map(
				(option, number) =>
					html`<label
						><input type="${button}" name="q${index}" value="${option}" ${idOf(number)} ${needed} />
						${option}</label
					>`,
			);
			return html`<div class="choices ${templateCode}">
				<span>${zeroLabel}</span> ${options} <span>${tenLabel}</span>
			</div>`;
		}
		if (choices !== undefined) {
			const options = choices.map(
				(option, number) => html`<option ${part === '' ? idOf(number) : ''}>${option}</option>`,
			);
			return html`<select ${common}>
				<option></option>
				${options}
			</select>`;
		}
		if (templateCode === 'textarea')
			return html`<textarea ${common} rows="3" placeholder="${placeholder}"></textarea>`;
		const type = templateCode === 'input' ? 'text' : templateCode;
		const range = html`min="${min}" max="${max}" step="any"`;
		return html`<input type="${type}" ${common} ${range} placeholder="${placeholder}" />`;
	};
	const parts = partsOf(question).map(
		(part, number) =>
			html`<label class="question">${part} ${field(`${title}: ${part}`, `.${number}`)}</label>`,
	);
	return parts.length === 0 ? field(title) : html`${parts}`;
}

/** Returns the survey as an employee sees it. */
export function answerPage(campaign: Campaign, survey: Survey, people: readonly Person[]): string {
	const who = survey.anonymous
		? html`<p class="soft">Your answer is anonymous.</p>`
		: html`<label class="question"
				><strong>Who answers?</strong>
				<select name="who">
					${people.map(
						(person) =>
							html`<option value="${person._id}">${displayName(person)} (${person.email})</option>`,
					)}
				</select></label
			>`;
	const content = html`${branchStyle(survey.questions)}
		<section class="wide">
			<p>${campaign.description}</p>
			<form class="survey" method="post" action="/console/campaign/${campaign._id}/answer">
				${who}
				${survey.questions.map(
					(question, index) =>
						html`<fieldset
							id="question${index}"
							class="question ${question.branch === true ? 'branch' : ''}"
						>
							<legend>
								<strong>${index + 1}. ${question.title}</strong>${
									isRequired(question) ? html` <span class="needed">*</span>` : ''
								}
							</legend>
							<p class="soft">${question.desc ?? ''}</p>
							${fields(question, index)}
						</fieldset>`,
				)}
				<button>Submit</button>
			</form>
		</section>`;
	return page({ title: campaign.title, subtitle: 'As an employee sees it', content });
}

/** Returns the answer to a question in the submitted form, or undefined if the question was not answered. */
function answerOf(question: Question, index: number, form: ParsedUrlQuery): Json | undefined {
	const { templateCode } = question;
	const choices = choicesOf(question) ?? [];
	const read = (part = ''): Json[] =>
		[form[`q${index}${part}`] ?? []]
			.flat()
			.filter((text) => text !== '')
			.map((text) => {
				if (templateCode === 'number') return Number(text);
				return choices.find((choice) => String(choice) === text) ?? text;
			});
	const parts = partsOf(question).map((part, number) => [part, read(`.${number}`)[0]] as const);
	const answered = parts.flatMap(([part, answer]): Array<[string, Json]> =>
		answer === undefined ? [] : [[part, answer]],
	);
	if (templateCode === 'matrix')
		return answered.length === 0 ? undefined : Object.fromEntries(answered);
	const list = templateCode === 'rank' ? answered.map(([, answer]) => answer) : read();
	if (list.length === 0) return undefined;
	return templateCode === 'rank' || templateCode === 'multiselect' ? list : list[0];
}

/** Returns the answers of a form, one per question. The answer to an unanswered question is undefined. */
export function readAnswers(survey: Survey, form: ParsedUrlQuery): (Json | undefined)[] {
	const answers = survey.questions.map((question, index) => answerOf(question, index, form));
	return withoutClosedBranches(survey.questions, answers);
}
