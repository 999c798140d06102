import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { saveRecipes } from '../../../local-n8n/n8n/own-workflows.mts';
import { chain, manualStart, noOp } from '../../../local-n8n/n8n/workflow.mts';
import { sharedN8n } from './shared-n8n.mts';

const recipe = 'Recipe of a test';

describe('the recipes that npm start saves', () => {
	let folder: string;

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'recipes-'));
	});

	const save = async (name: string, version: string) => {
		const { rest, fillIn } = await sharedN8n();
		const workflow = chain(name, [manualStart, noOp(version)]);
		const recipes = new Map([['recipe.json', { workflow, tag: 'Surveys' }]]);
		const saved = await saveRecipes(rest, folder, recipes, fillIn);
		return { ...saved, id: saved.ids.get('recipe.json') ?? '' };
	};
	const nodesOf = async (id: string) => {
		const { rest } = await sharedN8n();
		return (await rest.workflow(id))?.nodes.map(({ name }) => name).slice(1);
	};

	test('a new version replaces a workflow that nobody changed, and goes beside a changed one, once', async () => {
		const { rest } = await sharedN8n();
		const first = await save(recipe, 'Version 1');
		assert.equal(first.isFirst, true);
		const second = await save(recipe, 'Version 2');
		assert.deepEqual([second.isFirst, second.id], [false, first.id]);
		assert.deepEqual(await nodesOf(first.id), ['Version 2']);

		const workflow = await rest.workflow(first.id);
		assert.ok(workflow);
		const nodes = [...workflow.nodes, noOp('Mine')];
		await rest.updateWorkflow(first.id, { ...workflow, nodes });
		const same = await save(recipe, 'Version 2');
		assert.deepEqual([same.id, same.changed, same.beside], [first.id, [recipe], []]);

		const third = await save(recipe, 'Version 3');
		assert.deepEqual([third.changed, third.beside], [[recipe], [`${recipe} (2)`]]);
		assert.deepEqual(await nodesOf(first.id), ['Version 2', 'Mine']);
		assert.deepEqual(await nodesOf(third.id), ['Version 3']);

		const again = await save(recipe, 'Version 3');
		assert.deepEqual([again.id, again.changed, again.beside], [third.id, [], []]);
		assert.equal(await rest.workflowNamed(`${recipe} (3)`), undefined);
	});

	test("a person's workflow with the name of a recipe stays as it is", async () => {
		const { rest } = await sharedN8n();
		const name = "Somebody's workflow";
		const own = await rest.createWorkflow(chain(name, [manualStart, noOp('Mine')]));
		const { id, beside } = await save(name, 'Version 1');
		assert.deepEqual(beside, [`${name} (2)`]);
		assert.deepEqual([await nodesOf(own), await nodesOf(id)], [['Mine'], ['Version 1']]);
	});
});
