import type { IDataObject } from 'n8n-workflow';

import { fieldsIn, isDataObject, listIn } from '../../../../shared/values';
import type { Operation } from '../../../engine/declaration';
import { callApi } from '../../../engine/sendItem';
import { dataWithIds } from '../../../engine/output';
import { optionsOf } from './questionValues';

/** Sends the questions in one request, and adds to the output how the node understood them. */
export const sendQuestions: NonNullable<Operation['send']> = async (item, request, ids) => {
	const outputs = dataWithIds(item, await callApi(item, request), ids, request);
	const { questions } = fieldsIn(request.body);
	for (const { json } of outputs) json.questions = describeQuestions(questions);
	return outputs;
};

/**
 * Describes the questions of a request, so that a draft can be checked before it is sent. The description is made from
 * what is sent, so that text, form and JSON look alike.
 *
 * @param sent the API's list of questions, checked by `checkQuestions`
 * @returns for each question its number, title, type, whether it is required (the service's default), the texts of its
 *   options, and the numbers of the questions whose options lead to it
 */
export function describeQuestions(sent: unknown): IDataObject[] {
	const questions = listIn(sent).filter(isDataObject);
	return questions.map((question, index) => {
		const { title, templateCode: type, required, questionId } = question;
		const options = optionsOf(question).map(({ value }) => value);
		const leadsHere = (fork: IDataObject): boolean =>
			questionId !== undefined &&
			optionsOf(fork).some(({ leadsTo }) => leadsTo.includes(questionId));
		const branchOf = questions.flatMap((fork, place) => (leadsHere(fork) ? [place + 1] : []));
		return {
			number: index + 1,
			title,
			type,
			required: required !== false,
			...(options.length > 0 && { options }),
			...(branchOf.length > 0 && { branchOf }),
		};
	});
}
