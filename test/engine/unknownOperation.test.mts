import type { INodeParameters } from 'n8n-workflow';

import { useService } from '../kit/service.mts';

/** n8n itself would send `GET` of the Base URL for an operation that `customOperations` does not hold. */

const service = useService();
const given: INodeParameters = { name: 'N', campaignDescription: 'D', title: 'T', message: 'M' };

describe.each([
	['campaign', 'delete', /^Campaign has no operation "delete"$/, /close/],
	['broadcast', 'Create', /^Broadcast has no operation "Create"$/, /Did you mean "create"\?/],
	['recipientGroup', 'getMany', /^Recipient Group has no operation/, /getAll/],
	['employee', 'get', /^There is no resource "employee"$/, /profile/],
	['Campaign', 'get', /^There is no resource "Campaign"$/, /Did you mean "campaign"\?/],
	['campaign', '={{ "create" }}', /^Operation cannot be an expression$/, /Switch/],
	['={{ "campaign" }}', 'getAll', /^Resource cannot be an expression$/, /Switch/],
	['={{ "broadcast" }}', '={{ "create" }}', /^Resource cannot be an expression$/, /Switch/],
	['campaign', '', /^Campaign has no operation ""$/, /get/],
])('resource %j, operation %j', (resource, operation, message, advice) => {
	test('fails, says what exists, and sends nothing', async () => {
		const failed = await service.failure(resource, operation, given);
		expect(failed).toEqual({
			message: expect.stringMatching(message),
			advice: expect.stringMatching(advice),
			sent: 0,
		});
	});

	test('fails for each item with On Error Continue', async () => {
		const { json, errorItems } = await service.run(resource, operation, given, {
			items: [{ json: {} }, { json: {} }],
			onError: 'continueErrorOutput',
		});
		expect([...errorItems.map((item) => item.json), ...json]).toEqual([
			{ error: expect.stringMatching(message) },
			{ error: expect.stringMatching(message) },
		]);
		expect(service.requests).toEqual([]);
	});

	test('tells an agent, and sends nothing', async () => {
		const { json, error } = await service.run(resource, operation, given, { asTool: true });
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{ error: expect.stringMatching(message), advice: expect.stringMatching(advice) },
		]);
		expect(service.requests).toEqual([]);
	});
});
