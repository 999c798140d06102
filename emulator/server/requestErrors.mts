import type { ErrorObject } from 'ajv/dist/2020.js';
import { describeErrors } from './contract.mts';
import { ContractViolation, messages, ServiceFailure } from './failure.mts';

/** Returns the message of an operation that has the same message for all refusals (openapi.yaml, Failures). */
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

/** Creates a violation. Its message is the operation's message for all refusals, or the detail if there is none. */
export function violation(operationId: string, detail: string): ContractViolation {
	return new ContractViolation(generalMessage(operationId) ?? detail, detail);
}

/**
 * Converts validation errors. Missing required body fields alone are a documented failure of the service. Anything else is
 * a violation of the contract.
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
		// The order of `required` in the contract determines which missing field is named.
		return new ServiceFailure(
			missingFieldMessage(operationId, String(first.params.missingProperty)),
		);
	}
	return violation(operationId, describeErrors(errors, part));
}
