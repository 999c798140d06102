import { z } from 'zod';
import type { N8nRest, WorkflowJson } from './n8n-rest.mts';

export type Row = Record<string, string | number | boolean | null>;

/** A data table to create: its name, its columns with their types, and its first rows. */
export interface NewTable {
	name: string;
	columns: Record<string, 'string' | 'number' | 'boolean' | 'date'>;
	rows?: Row[];
}

const withId = z.object({ id: z.string() });

/** The reference of a node to a data table. The examples give the name of the table and leave its ID empty. */
const reference = z.object({ value: z.string(), cachedResultName: z.string() }).passthrough();

/** The data tables in the owner's personal project. */
export class DataTables {
	/** The IDs of the tables, by name. */
	private readonly ids = new Map<string, string>();
	private constructor(
		private readonly rest: N8nRest,
		private readonly path: string,
	) {}

	/** Creates the tables that do not exist yet. */
	static async create(rest: N8nRest, tables: NewTable[]): Promise<DataTables> {
		const { id: project } = await rest.ask(withId, 'GET', '/rest/projects/personal');
		const created = new DataTables(rest, `/rest/projects/${project}/data-tables`);
		const list = z.object({ data: z.array(withId.extend({ name: z.string() })) });
		const { data: existing } = await rest.ask(list, 'GET', `${created.path}?take=100`);
		for (const { id, name } of existing) created.ids.set(name, id);
		for (const table of tables) if (!created.ids.has(table.name)) await created.add(table);
		return created;
	}

	private async add({ name, columns, rows = [] }: NewTable): Promise<void> {
		const typed = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
		const table = await this.rest.ask(withId, 'POST', this.path, { name, columns: typed });
		this.ids.set(name, table.id);
		await this.insert(name, rows);
	}

	private pathOf(name: string): string {
		const id = this.ids.get(name);
		if (id === undefined) throw new Error(`There is no data table "${name}"`);
		return `${this.path}/${id}`;
	}

	async insert(name: string, rows: Row[]): Promise<void> {
		if (rows.length === 0) return;
		const data = { data: rows, returnType: 'count' };
		await this.rest.request('POST', `${this.pathOf(name)}/insert`, data);
	}

	/** Returns the rows in the order in which they were inserted. */
	async rows(name: string): Promise<Row[]> {
		const page = z.object({
			data: z.array(z.record(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
		});
		const rows: Row[] = [];
		// n8n 1 returns at most 50 rows at once.
		for (;;) {
			const query = `take=50&skip=${rows.length}&sortBy=id:asc`;
			const { data } = await this.rest.ask(page, 'GET', `${this.pathOf(name)}/rows?${query}`);
			rows.push(...data);
			if (data.length < 50) return rows;
		}
	}

	async clear(name: string): Promise<void> {
		const condition = { columnName: 'id', condition: 'gt', value: 0 };
		const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters: [condition] }));
		await this.rest.request('DELETE', `${this.pathOf(name)}/rows?filter=${filter}`);
	}

	/** Returns the workflow with the IDs of the tables that its nodes name. */
	chosenIn(workflow: WorkflowJson): WorkflowJson {
		const nodes = workflow.nodes.map((node) => {
			const { data: table } = reference.safeParse(node.parameters.dataTableId);
			if (table?.value !== '') return node;
			const dataTableId = { ...table, value: this.ids.get(table.cachedResultName) ?? '' };
			return { ...node, parameters: { ...node.parameters, dataTableId } };
		});
		return { ...workflow, nodes };
	}
}
