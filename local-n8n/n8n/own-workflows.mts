import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { N8nRest, WorkflowJson } from './n8n-rest.mts';

/** What npm start saved of a recipe: the workflow in n8n, and hashes of the recipe and of the workflow as n8n returned it. */
const savedSchema = z.record(
	z.object({ id: z.string(), recipe: z.string(), workflow: z.string() }),
);

/** A recipe, as its file has it. */
export interface Recipe {
	workflow: WorkflowJson;
	tag: string;
}

const hash = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Returns a hash of what a person can change in a workflow, or undefined if it was deleted. */
async function hashInN8n(rest: N8nRest, id: string): Promise<string | undefined> {
	const workflow = await rest.workflow(id);
	if (workflow === undefined) return undefined;
	const { name, nodes, connections, settings, pinData, active, activeVersionId, isArchived } =
		workflow;
	return hash([name, nodes, connections, settings, pinData, active, activeVersionId, isArchived]);
}

/** Returns the name, with a number if a workflow already has it. */
async function freeName(rest: N8nRest, name: string): Promise<string> {
	for (let number = 1; ; number++) {
		const free = number === 1 ? name : `${name} (${number})`;
		if ((await rest.workflowNamed(free)) === undefined) return free;
	}
}

/**
 * Saves recipes in n8n, and changes only workflows that it saved itself and that nobody has touched since. A new version of
 * a recipe that somebody changed, and a recipe with the name of another workflow, is saved beside it, once.
 *
 * @param userFolder the folder of this n8n. A file in it lists what was saved
 * @param fillIn puts the IDs of credentials and data tables into a workflow
 * @returns the workflow IDs by recipe, whether this is the first time, and the names of workflows that somebody changed
 *   (`changed`) or that were saved beside others (`beside`)
 */
export async function saveRecipes(
	rest: N8nRest,
	userFolder: string,
	recipes: Map<string, Recipe>,
	fillIn: (workflow: WorkflowJson) => WorkflowJson,
) {
	const file = join(userFolder, 'recipes.json');
	const text = await readFile(file, 'utf8').catch(() => undefined);
	const saved = savedSchema.parse(JSON.parse(text ?? '{}'));
	const changed: string[] = [];
	const beside: string[] = [];

	const create = async ({ workflow, tag }: Recipe): Promise<string> => {
		const name = await freeName(rest, workflow.name);
		if (name !== workflow.name) beside.push(name);
		return await rest.createWorkflow({ ...fillIn(workflow), name }, tag);
	};
	for (const [key, recipe] of recipes) {
		const before = saved[key];
		const isNew = before?.recipe !== hash(recipe.workflow);
		const now = before && (await hashInN8n(rest, before.id));
		const isTouched = now !== before?.workflow;
		if (isTouched && now !== undefined) changed.push(recipe.workflow.name);
		if (!isNew) continue;
		let id = before?.id;
		if (id === undefined || isTouched) id = await create(recipe);
		else await rest.updateWorkflow(id, fillIn(recipe.workflow));
		const workflow = (await hashInN8n(rest, id)) ?? '';
		saved[key] = { id, recipe: hash(recipe.workflow), workflow };
		// Also after a failure, this file lists what was saved.
		await writeFile(file, `${JSON.stringify(saved, null, '\t')}\n`);
	}
	const ids = new Map(Object.entries(saved).map(([key, { id }]) => [key, id]));
	return { ids, isFirst: text === undefined, changed, beside };
}
