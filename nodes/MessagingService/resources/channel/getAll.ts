import { channels } from '../../lists/locatorLists';
import { getMany } from '../../fields/getMany';
import { simplifyChannel } from '../../fields/simplify';

/** GET /int/v1/channel: channels accessible to the caller, newest first, in one response. */
export const getAll = getMany(
	channels,
	'Retrieve a list of channels that the owner of the access key can open, newest first',
	{ simplifier: simplifyChannel },
);
