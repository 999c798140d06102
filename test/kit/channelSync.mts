import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions, type RunResult } from './engine.mts';
import { groupSync, range } from './groupSync.mts';
import { required } from './required.mts';
import type { Service } from './service.mts';

type Options = {
	parameters?: INodeParameters;
	options?: INodeParameters;
	by?: string;
	onStart?: RunOptions['onStart'];
};

/**
 * Returns helpers that sync the emulator's first two channels. The helpers identify a person by a number: the person's index
 * in the emulator.
 */
export function channelSync(service: Pick<Service, 'emulator' | 'requests' | 'run'>) {
	const { person, emailsOf: emails, idsOf: ids } = groupSync(service);
	const channel = (number = 0) =>
		required([...service.emulator.state.channels.values()][number], `channel ${number}`);

	/** Makes exactly these people the recipients of a channel. */
	function fill(number: number, ...indexes: number[]): void {
		const { recipients } = channel(number);
		recipients.clear();
		for (const personId of ids(...indexes))
			recipients.set(personId, { linkId: personId, personId });
	}

	/** Returns the numbers of a channel's recipients in ascending order. */
	const members = (number = 0) =>
		range(0, service.emulator.state.people.size).filter((index) =>
			channel(number).recipients.has(person(index)._id),
		);

	/** Gives a person another address. Returns the former one. */
	function rename(index: number): string {
		const { email } = person(index);
		service.emulator.state.people.rename(person(index), `new.${email}`);
		return email;
	}

	/** Syncs recipients with the first channel, or each with the channel that it names. */
	async function sync(
		mode: string,
		given: Array<string | string[]>,
		{ parameters, options = {}, by = 'email', onStart }: Options = {},
		onError: RunOptions['onError'] = 'continueRegularOutput',
	): Promise<RunResult> {
		const items = given.map((one) =>
			typeof one === 'string'
				? { channel: channel().name, email: one }
				: { channel: one[0] ?? '', email: one[1] ?? '' },
		);
		return await service.run(
			'channelRecipient.sync',
			{
				...{ channelId: locator('={{ $json.channel }}', 'name'), identifyBy: by, mode },
				...{ recipient: '={{ $json.email }}', maxRemovalPercent: 50, options },
				...parameters,
			},
			{ items: items.map((json) => ({ json })), onError, onStart },
		);
	}

	/** Responds to reads of a channel's recipients with this. */
	function showList(response: object, times = Infinity): void {
		const action = { status: 200, body: { success: true, ...response } };
		service.emulator.faults.on('GET /channel/*/recipient', action, { times });
	}

	/** Returns the last part of the path of each change. */
	const sent = () =>
		service.requests
			.filter(({ method }) => method === 'POST')
			.map(({ path }) => path.split('/').at(-1));

	return { channel, emails, fill, ids, members, person, rename, sent, showList, sync };
}
