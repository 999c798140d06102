import { switchValues, type Switches } from '../../emulator/switches.mts';

/** Values of some switches. The other switches have their defaults. */
export type SwitchSettings = Partial<Switches>;

/** One setting for each value of each switch. */
export const singleSettings: SwitchSettings[] = Object.entries(switchValues).flatMap(
	([name, values]) => values.map((value) => ({ [name]: value })),
);

/** Returns switch settings as text for a test name. */
export function describeSettings(settings: SwitchSettings): string {
	return Object.entries(settings)
		.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join(', ');
}
