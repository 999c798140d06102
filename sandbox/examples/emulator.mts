import { startEmulator, type Emulator } from '../../emulator/emulator.mts';
import { knownRecipients, sampleEmployees } from './employees.mts';
import { freePort } from '../machine/ports.mts';

export type { Emulator };

/** Starts the emulator with something of everything, and with the sample's employees as recipients. */
export async function startSeededEmulator(preferredPort: number): Promise<Emulator> {
	const port = await freePort(preferredPort, 'the emulator');
	// No groups: the example creates its own, under a name that the seed uses, too.
	const emulator = await startEmulator({ port, seed: { people: 20, groups: 0 } });
	for (const { email, firstName, lastName, employeeId } of knownRecipients(
		await sampleEmployees(),
	)) {
		emulator.state.people.add({ email, firstName, lastName, hrId: employeeId });
	}
	return emulator;
}

/** The addresses in the group of that name, as the service itself has them. */
export function groupMembers({ state }: Emulator, name: string): string[] {
	const groups = [...state.recipientGroups.values()].filter((group) => group.name === name);
	if (groups.length > 1) throw new Error(`The service has ${groups.length} groups named "${name}"`);
	const ids = [...(groups[0]?.members ?? [])];
	return ids.map((id) => state.people.get(id)?.email.toLowerCase() ?? `unknown id ${id}`).sort();
}
