import type { ParsedUrlQuery } from 'node:querystring';
import { branchesOf, withoutClosedBranches } from '../state/surveyAnswers.mts';
import type { Campaign } from '../state/campaign.mts';
import type { Json } from '../state/json.mts';
import { displayName, type Person } from '../state/people.mts';
import { optionValues, type OptionValue, type Question, type Survey } from '../state/survey.mts';
import { html, Html } from './html.mts';
import { page } from './layout.mts';

const fieldName = (index: number): string => `q${index}`;

/** Whether a question must be answered. Branch questions are optional, because not everybody is asked. */
const isRequired = (question: Question): boolean =>
	(question.required ?? true) && question.branch !== true;

/** Returns the class names of the branch questions that an option opens, separated by spaces. */
function opens(questions: readonly Question[], question: Question, option: OptionValue): string {
	const opened = question.fork === true ? branchesOf(question, [option]) : [];
	return questions
		.flatMap((other, index) =>
			other.branch === true && opened.includes(other.questionId ?? '') ? [`b${index}`] : [],
		)
		.join(' ');
}

/** Returns the style that shows branch questions when an option that opens them is chosen. */
function branchStyle(questions: readonly Question[]): Html {
	const rules = questions.flatMap((question, index) =>
		question.branch === true
			? [`form.survey:not(:has([data-opens~="b${index}"]:checked)) .b${index} { display: none; }`]
			: [],
	);
	return new Html(`<style>${rules.join('\n')}</style>`);
}

function choice(
	type: 'radio' | 'checkbox',
	name: string,
	option: OptionValue,
	needed: boolean,
	opened: string,
): Html {
	const required = needed && type === 'radio' ? new Html('required') : '';
	return html`<label class="choice"
		><input type="${type}" name="${name}" value="${option}" data-opens="${opened}" ${required} />
		${option}</label
	>`;
}

/** Returns the inputs of one question. */
function inputs(questions: readonly Question[], question: Question, index: number): Html {
	const name = fieldName(index);
	const needed = isRequired(question);
	const required = needed ? new Html('required') : '';
	const common = html`name="${name}" aria-label="${question.title}" ${required}`;
	const placeholder = question.placeholder ?? '';
	const options = optionValues(question.options);
	const list = (type: 'radio' | 'checkbox', values: readonly OptionValue[] = options): Html[] =>
		values.map((option) => choice(type, name, option, needed, opens(questions, question, option)));
	switch (question.templateCode) {
		case 'textarea':
			return html`<textarea ${common} rows="3" placeholder="${placeholder}"></textarea>`;
		case 'radio':
		case 'multiselect':
			return html`<div class="choices ${question.layout === 'Vertical' ? 'vertical' : ''}">
				${list(question.templateCode === 'radio' ? 'radio' : 'checkbox')}
			</div>`;
		case 'dropdown':
			return html`<select ${common}>
				<option value=""></option>
				${options.map(
					(option) =>
						html`<option value="${option}" data-opens="${opens(questions, question, option)}">
							${option}
						</option>`,
				)}
			</select>`;
		case 'rating':
			return html`<div class="choices">
				<span class="soft">${question.zeroLabel ?? ''}</span>
				${list('radio', [...Array(11).keys()])}
				<span class="soft">${question.tenLabel ?? ''}</span>
			</div>`;
		case 'matrix':
			return html`<div class="scroll" tabindex="0">
				<table class="matrix">
					<tr>
						<td></td>
						${options.map((option) => html`<th>${option}</th>`)}
					</tr>
					${(question.matrixQuestions ?? []).map(
						(row, rowIndex) =>
							html`<tr>
								<td>${row}</td>
								${options.map(
									(option) =>
										html`<td>
											<input
												type="radio"
												name="${name}.${rowIndex}"
												value="${option}"
												aria-label="${row}: ${option}"
												${required}
											/>
										</td>`,
								)}
							</tr>`,
					)}
				</table>
			</div>`;
		case 'rank':
			return html`<div class="choices vertical">
				${options.map(
					(option, place) =>
						html`<label class="choice"
							><input
								type="number"
								name="${name}.${place}"
								min="1"
								max="${options.length}"
								value="${place + 1}"
							/>
							${option}</label
						>`,
				)}
			</div>`;
		default:
			return html`<input
				type="${question.templateCode === 'input' ? 'text' : question.templateCode}"
				${common}
				min="${question.min ?? ''}"
				max="${question.max ?? ''}"
				step="any"
				placeholder="${placeholder}"
			/>`;
	}
}

/** Returns the survey as an employee sees it. `problem` explains why the employee's last answers were refused. */
export function answerPage(
	campaign: Campaign,
	survey: Survey,
	people: readonly Person[],
	problem: string | undefined,
): string {
	const { questions } = survey;
	const who = survey.isAnonymous
		? html`<p class="soft">Your answer is anonymous.</p>`
		: html`<label class="question"
				><strong>Who answers?</strong>
				<select name="who">
					<option value="">Somebody new</option>
					${people.map(
						(person, index) =>
							html`<option value="${person._id}" ${index === 0 ? new Html('selected') : ''}>
								${displayName(person)} (${person.email})
							</option>`,
					)}
				</select></label
			>`;
	const content = html`${branchStyle(questions)}
		<section class="wide">
			<p>${campaign.description}</p>
			<form class="survey" method="post" action="/console/campaign/${campaign._id}/answer">
				${who}
				${questions.map(
					(question, index) =>
						html`<fieldset class="question b${index}">
							<legend>
								<strong>${index + 1}. ${question.title}</strong>${isRequired(question)
									? html` <span class="needed">*</span>`
									: ''}
							</legend>
							${question.desc === undefined ? '' : html`<p class="soft">${question.desc}</p>`}
							${inputs(questions, question, index)}
						</fieldset>`,
				)}
				<button>Submit</button>
			</form>
		</section>`;
	return page({
		title: campaign.title,
		subtitle: 'As an employee sees it',
		actions: html`<a href="/console/campaign/${campaign._id}">Back to the survey</a>`,
		content,
		notice: problem,
	});
}

function values(form: ParsedUrlQuery, name: string): string[] {
	return [form[name] ?? []].flat().filter((value) => value !== '');
}

/** Returns one answer of the form; undefined if the question was not answered. */
function answerOf(question: Question, index: number, form: ParsedUrlQuery): Json | undefined {
	const name = fieldName(index);
	const options = optionValues(question.options);
	const optionFor = (text: string): Json =>
		options.find((option) => String(option) === text) ?? text;
	const [text] = values(form, name);
	switch (question.templateCode) {
		case 'matrix': {
			const rows = (question.matrixQuestions ?? []).flatMap((row, rowIndex) => {
				const [chosen] = values(form, `${name}.${rowIndex}`);
				return chosen === undefined ? [] : [[row, optionFor(chosen)] as const];
			});
			return rows.length === 0 ? undefined : Object.fromEntries(rows);
		}
		case 'rank': {
			const places = options.map((option, place) => ({
				option,
				place: Number(values(form, `${name}.${place}`)[0]),
			}));
			if (places.length === 0 || places.some(({ place }) => Number.isNaN(place))) return undefined;
			return places.sort((a, b) => a.place - b.place).map(({ option }) => option);
		}
		case 'multiselect': {
			const chosen = values(form, name).map(optionFor);
			return chosen.length === 0 ? undefined : chosen;
		}
		case 'rating':
		case 'number':
			return text === undefined ? undefined : Number(text);
		default:
			return text === undefined ? undefined : optionFor(text);
	}
}

/** A required question without an answer. */
export class MissingAnswer extends Error {}

/** Returns the answers of a form, one per question; undefined for no answer. @throws MissingAnswer */
export function readAnswers(survey: Survey, form: ParsedUrlQuery): (Json | undefined)[] {
	const answers = survey.questions.map((question, index) => answerOf(question, index, form));
	const missing = survey.questions.find(
		(question, index) => isRequired(question) && answers[index] === undefined,
	);
	if (missing !== undefined) throw new MissingAnswer(`Please answer “${missing.title}”.`);
	return withoutClosedBranches(survey.questions, answers);
}
