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
	/** Returns what the group itself says, undefined if it cannot be read. */
	const readExclusive = async (id: string) => {
		const reading = await settle(async () => await run.api.readMembers(id));
		return 'result' in reading
			? reading.result.exclusive
			: isMissing(reading.error)
				? false
				: undefined;
	};
	const found = [...new Set([...listed.keys(), ...read.keys()])].map(async (id) => {
		const { name = id, exclusive } = listed.get(id) ?? {};
		const isSaid = typeof exclusive === 'boolean';
		const own = read.has(id) || isSaid ? read.get(id) : await readExclusive(id);
		if (exclusive === true || own === true) return `the group "${String(name)}" is exclusive`;
		const isUnknown = own === undefined && !isSaid;
		return isUnknown ? `the group "${String(name)}" cannot be read, and may be exclusive` : '';
	});
	return (await Promise.all(found)).find((text) => text !== '') ?? '';
}
