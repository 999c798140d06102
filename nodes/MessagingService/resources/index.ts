import { fileOperations } from '../fields/fileOperations';

// Every resource of the node, in the order of the Resource list.
export * as broadcast from './broadcast';
export const broadcastFile = fileOperations('broadcast');
export * as campaign from './campaign';
export const campaignFile = fileOperations('campaign');
export * as channel from './channel';
export * as channelManager from './channelManager';
export * as channelManagerGroup from './channelManagerGroup';
export * as channelRecipient from './channelRecipient';
export * as profile from './profile';
export * as recipientGroup from './recipientGroup';
export * as survey from './survey';
export * as template from './template';
