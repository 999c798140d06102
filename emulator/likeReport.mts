import { readFileSync } from 'node:fs';
import { isObject } from './server/guards.mts';
import { defaultSwitches, type Switches } from './switches.mts';

/**
 * Returns the switches that a report of `npm run check-service` has found. Prints what the service does that no switch has.
 *
 * @throws Error if the file is no such report, or has a switch that the emulator does not know
 */
export function readReport(file: string): Partial<Switches> {
	const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
	if (!isObject(report) || !isObject(report.switches)) {
		throw new Error(`${file} is no report of npm run check-service`);
	}
	const known = defaultSwitches();
	for (const name of Object.keys(report.switches)) {
		if (!Object.hasOwn(known, name)) throw new Error(`${file} has the unknown switch ${name}`);
	}
	for (const one of [report.needsSwitch ?? []].flat())
		console.error(`No switch has this: ${String(one)}`);
	return report.switches;
}
