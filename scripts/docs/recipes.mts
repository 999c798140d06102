import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'scripts/recipes';

type Assignment = { id: string; name: string; value: unknown; type: string };

type Node = {
	name: string;
	position: [number, number];
	parameters: Record<string, unknown> & { assignments?: { assignments: Assignment[] } };
};

type Part = { nodes: Node[]; connections: Record<string, object> };

/**
 * A recipe that reads people. `parts` says which shared parts it has and where they are on the canvas. `values` changes nodes
 * of these parts: the fields of an Edit Fields node, and the parameters of any other node.
 */
type Recipe = Part & {
	name: string;
	parts: Record<string, [number, number]>;
	values?: Record<string, Record<string, unknown>>;
	pinData?: object;
};

/** Returns the workflows of `examples` that consist of shared parts, by file, as `npm run docs` writes them. */
export function sharedRecipes(): Map<string, object> {
	const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
	return new Map(files.map((file) => [file, workflowOf(read<Recipe>(file))]));
}

const parse: <Content>(text: string) => Content = JSON.parse;

function read<Content>(file: string): Content {
	return parse(readFileSync(join(FOLDER, file), 'utf8'));
}

function workflowOf({ name, parts, values = {}, pinData = {}, ...own }: Recipe): object {
	const shared = Object.entries(parts).map(([part, at]) => moved(read(`parts/${part}.json`), at));
	// The examples test expects "What to look at" as the last note.
	const isLast = (node: Node) => node.name === 'Look';
	const all = [own, ...shared].flatMap((part) => part.nodes);
	const nodes = [...all.filter((node) => !isLast(node)), ...all.filter(isLast)];
	for (const node of nodes) change(node, values[node.name] ?? {});
	// The connections of the recipe replace those of its parts.
	const connections = Object.fromEntries(
		[...shared, own].flatMap((part) => Object.entries(part.connections)),
	);
	return { name, nodes, connections, settings: { executionOrder: 'v1' }, pinData };
}

function moved(part: Part, [x, y]: [number, number]): Part {
	for (const { position } of part.nodes) {
		position[0] += x;
		position[1] += y;
	}
	return part;
}

function change({ name, parameters }: Node, values: Record<string, unknown>): void {
	const fields = parameters.assignments?.assignments;
	if (fields === undefined) Object.assign(parameters, values);
	for (const [field, value] of fields === undefined ? [] : Object.entries(values)) {
		const known = fields?.find((one) => one.name === field);
		if (known !== undefined) known.value = value;
		else fields?.push({ id: `${name}-${field}`, name: field, value, type: 'string' });
	}
}
