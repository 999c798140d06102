/** Linear equations between unknown numbers. The equations show what a reader can find out by adding and subtracting. */
export class Equations {
	private readonly columns = new Map<string, number>();
	private readonly rows: Array<Map<number, number>> = [];
	/** The equations in reduced form. The key is the column that an equation solves. */
	private solved: Map<number, Map<number, number>> | undefined;

	/** Records that the sum of these unknowns, each times its factor, is known. The value of the sum does not matter. */
	add(terms: Array<[unknown: string, factor: number]>): void {
		const row = this.toRow(terms);
		if (row.size > 0) this.rows.push(row);
		this.solved = undefined;
	}

	/** Whether the sum of these unknowns follows from the equations. */
	determines(unknowns: string[]): boolean {
		this.solved ??= this.solve();
		return this.reduce(this.toRow(unknowns.map((name) => [name, 1]))).size === 0;
	}

	private toRow(terms: Array<[string, number]>): Map<number, number> {
		const row = new Map<number, number>();
		for (const [name, factor] of terms) {
			const column = this.columns.get(name) ?? this.columns.size;
			this.columns.set(name, column);
			addTo(row, column, factor);
		}
		return row;
	}

	private solve(): Map<number, Map<number, number>> {
		this.solved = new Map();
		for (const row of this.rows) {
			const left = this.reduce(row);
			const [column] = left.keys();
			if (column === undefined) continue;
			const factor = left.get(column) ?? 1;
			for (const [one, value] of left) left.set(one, value / factor);
			for (const other of this.solved.values()) subtract(other, left, other.get(column) ?? 0);
			this.solved.set(column, left);
		}
		return this.solved;
	}

	/** Returns the row minus the solved equations for its columns. */
	private reduce(row: Map<number, number>): Map<number, number> {
		const left = new Map(row);
		for (const [column, factor] of row) {
			const equation = this.solved?.get(column);
			if (equation) subtract(left, equation, factor);
		}
		return left;
	}
}

function subtract(from: Map<number, number>, row: Map<number, number>, times: number): void {
	if (times === 0) return;
	for (const [column, value] of row) addTo(from, column, -value * times);
}

function addTo(row: Map<number, number>, column: number, value: number): void {
	const sum = (row.get(column) ?? 0) + value;
	if (Math.abs(sum) < 1e-9) row.delete(column);
	else row.set(column, sum);
}
