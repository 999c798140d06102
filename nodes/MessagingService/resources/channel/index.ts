export { archive } from './archive';
export { create } from './create';
export { createBroadcast } from './createBroadcast';
export { createCampaign } from './createCampaign';
export { get } from './get';
export { getAll } from './getAll';
export { restore } from './restore';
export { update } from './update';
