import type { Campaign } from './campaign.mts';
import type { EmulatorState } from './state.mts';

function demand(state: EmulatorState, id: string): Campaign {
	const campaign = state.campaigns.get(id);
	if (campaign === undefined) throw new Error(`No campaign ${id}`);
	return campaign;
}

/** Sends a draft or scheduled campaign, as a console user can. */
export function sendCampaign(state: EmulatorState, id: string): void {
	const campaign = demand(state, id);
	if (campaign.status === '1' || campaign.status === '3') {
		throw new Error('Only a draft or scheduled campaign can be sent');
	}
	state.goLive(campaign);
}

/** Closes a campaign, as a console user can. */
export function closeCampaign(state: EmulatorState, id: string): void {
	demand(state, id).status = '3';
}

/** Makes a closed campaign live again. The campaign keeps its go-live time. */
export function reopenCampaign(state: EmulatorState, id: string): void {
	const campaign = demand(state, id);
	if (campaign.status !== '3') throw new Error('Only a closed campaign can be opened again');
	campaign.status = '1';
}
