import type { INodeParameters } from 'n8n-workflow';

import { useService } from '../kit/service.mts';

/** n8n itself would send `GET` of the Base URL for an operation that `customOperations` does not hold. */

const service = useService();
const given: INodeParameters = { name: 'N', campaignDescription: 'D', title: 'T', message: 'M' };

describe.each([
	['campaign', 'delete', /^Operation is "delete", which does not exist$/, /close/],
	['broadcast', 'Create', /^Operation is "Create", which/, /Did you mean "create"\?/],
	['recipientGroup', 'getMany', /^Operation is "getMany", which/, /getAll/],
	['employee', 'get', /^Resource is "employee", which/, /profile/],
	['Campaign', 'get', /^Resource is "Campaign", which/, /Did you mean "campaign"\?/],
	['campaign', '={{ "create" }}', /^Operation is "/, /Switch/],
	['={{ "campaign" }}', 'getAll', /^Resource is "/, /Switch/],
	['={{ "broadcast" }}', '={{ "create" }}', /^Resource is "/, /Switch/],
	['campaign', '', /^Operation is "", which/, /get/],
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
