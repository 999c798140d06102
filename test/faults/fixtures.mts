import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { Emulator, SeedOptions, Switches } from '../../emulator/emulator.mts';
import { addFile } from '../kit/samples.mts';
import { first } from '../kit/required.mts';
import type { Service } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';
import { switchesWith, type SwitchSettings } from './switchSettings.mts';

export const FIXTURE_SEED: SeedOptions = {
	...{ seed: 5, people: 8, groups: 5, campaigns: 6, otherCampaigns: 1 },
	...{ surveys: 1, responsesPerSurvey: 3, broadcasts: 5, channels: 4, templates: 4 },
	...{ consoleUsers: 5, consoleUserGroups: 3 },
};

/** The amount of data: all records on one page, pages of two records, or almost no records. */
const VOLUMES = ['one page', 'short pages', 'nothing'] as const;

export type Volume = (typeof VOLUMES)[number];

/** A service with switches and data, and the credential to read it. */
export type Fixture = {
	service: Service;
	credential: ICredentialDataDecryptedObject;
	volume: Volume;
	switches: Switches;
	/** The IDs for the parameters of a path. */
	ids: Record<string, string>;
};

/** Two records per page, for every paged list. */
const SHORT: Switches['pageCap'] = {
	...{ campaign: 2, broadcast: 2, recipientGroup: 2 },
	...{ channelManager: 2, channelManagerGroup: 2, channelRecipient: 2 },
};

/** Switches that change how a list is returned, not its contents. */
const ABOUT_PAGING = [
	...(['pageCap', 'limitAboveMaximum', 'channelListDefaultLimit', 'emptyList'] as const),
	...(['totalInLists', 'totalMeans', 'previousLastIdMeans', 'skipMeans', 'rateLimit'] as const),
] as const satisfies Array<keyof Switches>;

/** Returns the volumes for testing these settings: all volumes for settings about paging, and one for other settings. */
export function volumesFor(settings: SwitchSettings): readonly Volume[] {
	return ABOUT_PAGING.some((name) => name in settings) ? VOLUMES : ['short pages'];
}

/** Switches about access tokens. For a caller with an access key or a valid token, these switches change nothing. */
const ABOUT_TOKENS: Array<keyof Switches> = [
	...(['expiredToken', 'expiredTokenMessage', 'invalidToken'] as const),
	...(['missingToken', 'tokenRefusal'] as const),
	...(['authenticationFailureBody', 'tokensPerClient', 'tokenLifetimeSeconds'] as const),
];

/**
 * Sets up the data and the switches of the service. For a switch about tokens, the token of the credential is expired.
 */
export async function fixtureWith(
	service: Service,
	settings: SwitchSettings,
	volume: Volume,
): Promise<Fixture> {
	const { emulator } = service;
	const ids = fill(emulator, volume);
	Object.assign(emulator.switches, switchesWith(settings));
	if (volume === 'short pages' && settings.pageCap === undefined) {
		emulator.switches.pageCap = { ...SHORT };
	}
	const isAboutTokens = ABOUT_TOKENS.some((name) => name in settings);
	const credential = isAboutTokens ? service.newClient() : service.accessKey;
	if (isAboutTokens) {
		await service.run('profile', 'get', {}, { credential });
		emulator.expireTokens();
	}
	emulator.clearRequests();
	return { service, credential, volume, switches: emulator.switches, ids };
}

function fill(emulator: Emulator, volume: Volume): Record<string, string> {
	const { state } = emulator;
	const campaign = first(state.campaigns.values());
	const broadcast = first(state.broadcasts.values());
	const channel = first(state.channels.values());
	const ids = { campaignId: campaign._id, broadcastId: broadcast._id, channelId: channel._id };
	if (volume === 'nothing') {
		const { campaigns, recipientGroups, templates, broadcasts, channels } = state;
		for (const store of [campaigns, recipientGroups, templates, broadcasts, channels]) {
			const others = store.values().filter(({ _id }) => !Object.values(ids).includes(_id));
			for (const { _id } of others) store.delete(_id);
		}
		for (const part of [channel.managers, channel.managerGroups, channel.recipients]) part.clear();
		return ids;
	}
	for (const owner of [campaign._id, broadcast._id]) {
		for (const name of ['notes.txt', 'agenda.txt', 'map.txt']) addFile(emulator, owner, name);
	}
	return ids;
}

/** Returns all records of a list, in the service's order, requested without the node. */
export async function recordsAt(
	{ service, switches }: Fixture,
	path: string,
): Promise<IDataObject[]> {
	const { emulator } = service;
	const kept = structuredClone(switches);
	for (const name of ABOUT_PAGING) Object.assign(switches, { [name]: switchesWith({})[name] });
	const response = await fetch(`${emulator.url}${path}`, {
		headers: { authorization: `Bearer ${emulator.accessKey}` },
	});
	const { success, data } = parseAs<{ success: boolean; data: IDataObject[] }>(
		await response.text(),
	);
	Object.assign(switches, kept);
	emulator.clearRequests();
	if (!success || !Array.isArray(data)) throw new Error(`${path} is no list`);
	return data;
}

/** Returns a path with the IDs of the fixture. */
export function withIds({ ids }: Fixture, path: string): string {
	return path.replace(/:(\w+)/g, (_, parameter: string) => {
		const id = ids[parameter];
		if (id === undefined) throw new Error(`The fixture has no ${parameter} for ${path}`);
		return id;
	});
}
