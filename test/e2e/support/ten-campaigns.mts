import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Emulator } from '../../../sandbox/examples/emulator.mts';
import type { Execution, WorkflowJson, WorkflowNode } from '../../../sandbox/n8n/n8n-rest.mts';
import { chain, nodeOf, serviceNode } from './workflow.mts';

const CREATE = 'Create campaign';
const TRIES = 3;

/** Item 7 has a recipient whom the service does not know. */
const REFUSED = 7;

/** What the node is set to do on an error. n8n tries again only when the first of the items is an error, or the node failed. */
export const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
type OnError = (typeof onErrors)[number];

/** Ten live campaigns under Retry On Fail, of which one is refused. @param start the trigger */
export function tenCampaigns(
	name: string,
	start: WorkflowNode,
	{ state }: Emulator,
	onError: OnError,
): WorkflowJson {
	const [person] = state.people.values();
	assert.ok(person);
	const first = onError === 'stopWorkflow' ? 0 : REFUSED;
	return chain(name, [
		start,
		nodeOf('List', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { numbers: Array.from({ length: 10 }, (_, index) => (index + ${first}) % 10) } }}`,
			options: {},
		}),
		nodeOf('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'numbers', options: {} }),
		serviceNode(
			CREATE,
			'campaign',
			'create',
			{
				name: `=${name} {{ $json.numbers }}`,
				campaignDescription: 'D',
				status: 'live',
				recipientsFrom: 'emails',
				recipientEmails: `={{ $json.numbers === ${REFUSED} ? 'nobody@elsewhere.example' : '${person.email}' }}`,
			},
			{ retryOnFail: true, maxTries: TRIES, waitBetweenTries: 100, onError },
		),
	]);
}

/** That nine went out once, and one was tried as often as n8n tries; and that the output says so. */
export function assertNothingTwice(
	name: string,
	{ requests, state }: Emulator,
	execution: Execution,
	onError: OnError,
): void {
	const named = z.object({ name: z.string() });
	const sent = requests
		.filter(({ method, path }) => method === 'POST' && path === '/int/v1/campaign')
		.flatMap(({ body }) => named.safeParse(body).data?.name ?? []);
	const numbers = Array.from({ length: 10 }, (_, number) => number);
	assert.deepEqual(
		numbers.map((number) => sent.filter((one) => one === `${name} ${number}`).length),
		numbers.map((number) => (number === REFUSED ? TRIES : 1)),
	);
	const live = [...state.campaigns.values()].filter((campaign) => campaign.name.startsWith(name));
	assert.equal(live.length, 9);

	const outputs = execution.items(CREATE).concat(execution.items(CREATE, 1));
	const errors = outputs.filter(({ json }) => 'error' in json);
	if (onError === 'stopWorkflow') {
		assert.match(
			execution.errorOf(CREATE) ?? '',
			/Not all emails founded.*9 of 10 items were done/s,
		);
	} else {
		assert.equal(execution.error, undefined);
		assert.deepEqual([outputs.length, errors.length], [10, 1]);
	}
}
