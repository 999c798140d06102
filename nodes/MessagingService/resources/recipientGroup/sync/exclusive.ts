import { settle } from '../../../../shared/concurrency';
import { isMissing } from '../../../sync/calls';
import type { ReadTarget } from '../../../sync/types';
import type { GroupRun } from './temporaryGroups';

/**
 * Returns which group is exclusive, or may be: 'the group "HR" is exclusive'. Returns an empty text if there is none.
 *
 * The meaning of `exclusive` is not documented (schema RecipientGroup in emulator/openapi.yaml). Perhaps the members of such a
 * group may be in no other group. Then each temporary group would take people out of it, also if no item names it.
 *
 * @param named the groups that items name
 * @throws if the groups cannot be listed
 */
export async function findExclusive(run: GroupRun, named: ReadTarget[]): Promise<string> {
	const { records, problem } = await run.listTargets();
	if (problem !== undefined) return `it is not known which groups are exclusive. ${problem}`;
	const listed = new Map(records.map((group) => [String(group._id), group]));
	const read = new Map(named.map(({ target, before }) => [target.id, before.exclusive]));
	read.delete('');
	const found = [...new Set([...listed.keys(), ...read.keys()])].map(async (id) => {
		const { name = id, exclusive: said } = listed.get(id) ?? {};
		const isSaid = typeof said === 'boolean';
		const own = read.get(id) ?? (isSaid ? said : await readExclusive(run, id));
		if (said === true || own === true) return `the group "${String(name)}" is exclusive`;
		if (own === false) return '';
		return `the group "${String(name)}" cannot be read, and may be exclusive`;
	});
	return (await Promise.all(found)).find((text) => text !== '') ?? '';
}

/** Returns what a group itself says. A missing group is not exclusive. Returns undefined if the group cannot be read. */
async function readExclusive(run: GroupRun, id: string): Promise<boolean | undefined> {
	const reading = await settle(async () => await run.api.readMembers(id));
	if ('result' in reading) return reading.result.exclusive;
	return isMissing(reading.error) ? false : undefined;
}
