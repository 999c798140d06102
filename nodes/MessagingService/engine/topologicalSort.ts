/**
 * Sorts the fields of all screens so that each screen keeps its own order: n8n shows a node's properties in one order for
 * all operations.
 *
 * @param screens the fields of each operation; a shared field is the same object everywhere
 * @returns each field once
 * @throws if screens list the same fields in different orders; to fix this, give one screen a separate field
 */
export function topologicalSort<Field extends { name: string }>(screens: Field[][]): Field[] {
	const before = new Map<Field, Set<Field>>();
	for (const screen of screens) {
		for (const [index, field] of screen.entries()) {
			const earlier = before.get(field) ?? new Set();
			const previous = screen[index - 1];
			if (previous !== undefined) earlier.add(previous);
			before.set(field, earlier);
		}
	}
	const ordered = new Set<Field>();
	while (ordered.size < before.size) {
		const next = [...before].find(
			([field, earlier]) => !ordered.has(field) && [...earlier].every((one) => ordered.has(one)),
		);
		if (next === undefined) {
			const left = [...before.keys()].filter((field) => !ordered.has(field));
			throw new Error(
				`Screens list these fields in different orders: ${left.map(({ name }) => name).join(', ')}`,
			);
		}
		ordered.add(next[0]);
	}
	return [...ordered];
}
