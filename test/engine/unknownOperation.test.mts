import type { INodeParameters } from 'n8n-workflow';

import { useService } from '../kit/service.mts';

/** n8n itself would send `GET` of the Base URL for an operation that `customOperations` does not hold. */

const service = useService();
const fields: INodeParameters = { name: 'N', campaignDescription: 'D', title: 'T', message: 'M' };

test.each([
	['campaign', 'delete', /^Operation is "delete", which does not exist$/, /close/],
	['broadcast', ' Create', /^Operation is " Create", which/, /Did you mean "create"\?/],
	['recipientGroup', 'getMany', /^Operation is "getMany", which/, /getAll/],
	['employee', 'get', /^Resource is "employee", which/, /profile/],
	['Campaign', 'get', /^Resource is "Campaign", which/, /Did you mean "campaign"\?/],
	['campaign', '={{ "create" }}', /^Operation is "/, /Switch/],
	['={{ "campaign" }}', 'getAll', /^Resource is "/, /Switch/],
	['={{ "broadcast" }}', '={{ "create" }}', /^Resource is "/, /Switch/],
	['campaign', '', /^Operation is "", which/, /get/],
])('resource %j, operation %j: fails, sends nothing, and says what exists', async (...given) => {
	const [resource, operation, message, advice] = given;
	const says = { message: expect.stringMatching(message), advice: expect.stringMatching(advice) };
	const name = `${resource}.${operation}`;
	expect(await service.failure(name, fields)).toEqual({ ...says, sent: 0 });

	const items = [{ json: {} }, { json: {} }];
	const options = { items, onError: 'continueErrorOutput' } as const;
	const { json, errorItems } = await service.run(name, fields, options);
	const failed = [...errorItems.map((item) => item.json), ...json];
	expect(failed).toEqual([{ error: says.message }, { error: says.message }]);

	const asTool = await service.run(name, fields, { asTool: true });
	expect(asTool.error).toBeUndefined();
	expect(asTool.json).toEqual([{ error: says.message, advice: says.advice }]);
	expect(service.requests).toEqual([]);
});
