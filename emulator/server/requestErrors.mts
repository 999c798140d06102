import type { ErrorObject } from 'ajv/dist/2020.js';
import { describeErrors } from './ajv.mts';
import { ContractViolation, messages, ServiceFailure } from './failure.mts';

/** Returns the message of all refusals of an operation, or undefined if the messages differ (openapi.yaml, Failures). */
function generalMessage(operationId: string): string | undefined {
	if (operationId === 'campaign.getAll' || operationId === 'broadcast.getAll') {
		return messages.illegalParameters;
	}
	if (operationId === 'broadcast.update') return messages.invalidRequestParameters;
	if (operationId.startsWith('channel')) return messages.invalidParameters;
	return undefined;
}

/** Returns the service's message for a missing required field. */
export function missingFieldMessage(operationId: string, field: string): string {
	const general = generalMessage(operationId);
	if (general !== undefined) return general;
	if (field === 'description') return messages.descriptionMandatory;
	if (operationId === 'recipientGroup.create' && field === 'name')
		return messages.groupNameRequired;
	if (operationId === 'broadcast.create' && field === 'title') return messages.titleMandatory;
	return `${field} is mandatory`;
}

/** Returns a violation with the general message of the operation, or with `detail` if there is no general message. */
export function violation(operationId: string, detail: string): ContractViolation {
	return new ContractViolation(generalMessage(operationId) ?? detail, detail);
}

/**
 * Converts validation errors to a violation of the contract. If every error is a missing required field of the body,
 * returns a documented failure instead.
 */
export function fromValidation(
	operationId: string,
	part: string,
	errors: readonly ErrorObject[],
): ServiceFailure {
	const missing = errors.filter(
		(error) => error.keyword === 'required' && error.instancePath === '' && part === 'body',
	);
	const [first] = missing;
	if (first !== undefined && missing.length === errors.length) {
		// The message names the missing field that comes first in `required` of the contract.
		return new ServiceFailure(
			missingFieldMessage(operationId, String(first.params.missingProperty)),
		);
	}
	return violation(operationId, describeErrors(errors, part));
}
