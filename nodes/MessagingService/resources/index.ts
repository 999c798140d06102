import type { Resource } from '../shared/operation';
import { campaign } from './campaign';
import { profile } from './profile';
import { recipientGroup } from './recipientGroup';
import { survey } from './survey';
import { template } from './template';

/** Every resource of the node, in the order of the Resource list. */
export const resources: Resource[] = [campaign, profile, recipientGroup, survey, template];
