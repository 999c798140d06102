/** A failure response: HTTP 200 with `success: false` and this message (openapi.yaml, Failures). */
export class ServiceFailure extends Error {
	override readonly name = 'ServiceFailure';
}

/** A request that violates the contract. The emulator sends a failure response and records the violation. */
export class ContractViolation extends ServiceFailure {
	constructor(
		message: string,
		readonly detail: string,
	) {
		super(message);
	}
}

/** The messages in the specification's Errors table, in the service's spelling. */
export const messages = {
	illegalParameters: 'Illegal parameters',
	notFound: 'Not Found.',
	descriptionMandatory: 'description is mandatory',
	notASurvey: 'Campaign is not a survey',
	campaignIdRequired: 'campaign Id is required',
	fileInUse: 'Please confirm delete for file used in campaign content.',
	draftRequired: "Invalid campaign ID for survey creation, 'draft' campaign required",
	unknownRecipients: 'Not all emails founded as recipient in system',
	groupNameRequired: 'RecipientGroup validation failed: name: Path `name` is required.',
	groupDoesNotExist: 'Object does not exist',
	titleMandatory: 'Title is mandatory',
	invalidRequestParameters: 'Invalid request parameters',
	broadcastNotFound: 'Broadcast not found',
	alreadyClosed: 'Campaign already closed',
	invalidParameters: 'Invalid parameters',
} as const;
