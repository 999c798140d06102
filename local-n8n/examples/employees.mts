import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { examplesFolder } from '../machine/paths.mts';

/** A record of the sample HR export. */
export interface Employee {
	employeeId: string;
	firstName: string;
	lastName: string;
	email: string;
	department: string;
	location: string;
	startDate: string;
	status: 'active' | 'on leave' | 'starting' | 'left';
}

/** Returns the 250 records of `examples/data/employees.csv`. */
export async function sampleEmployees(): Promise<Employee[]> {
	const text = await readFile(join(examplesFolder, 'data', 'employees.csv'), 'utf8');
	return parse<Employee>(text, { columns: true, skip_empty_lines: true });
}

/** Returns the employees whom the service knows. Each address occurs once, and new starters are left out. */
export function knownRecipients(employees: Employee[]): Employee[] {
	const byEmail = new Map<string, Employee>();
	for (const employee of employees) {
		const email = employee.email.toLowerCase();
		if (employee.status === 'starting' || email === '' || byEmail.has(email)) continue;
		byEmail.set(email, { ...employee, email });
	}
	return [...byEmail.values()];
}

/** Returns the addresses that the nightly sync puts into its group: all known employees who have not left. */
export function expectedMembers(employees: Employee[]): string[] {
	const staying = employees.filter(({ status }) => status !== 'left');
	return knownRecipients(staying)
		.map(({ email }) => email)
		.sort();
}
