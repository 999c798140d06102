import { channels } from '../../lists/locatorLists';
import { getMany } from '../../fields/getMany';
import { simplifyChannel } from '../../fields/simplify';

/** GET /int/v1/channel: channels accessible to the caller, newest first, in one response. */
export const getAll = getMany(
	channels,
	'Retrieve a list of channels, newest first: those that the owner of your access key can open',
	{ simplifier: simplifyChannel },
);
