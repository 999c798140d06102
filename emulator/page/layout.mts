import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, Html } from './html.mts';

const style = new Html(readFileSync(join(import.meta.dirname, 'style.css'), 'utf8'));

interface PageParts {
	title: string;
	subtitle: string;
	content: Html;
	/** The result of an action, or its error. */
	notice?: string;
}

/** Returns a complete page. */
export function page(parts: PageParts): string {
	const { title, subtitle, content, notice } = parts;
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				<style>
					${style}
				</style>
			</head>
			<body>
				<header>
					<div>
						<h1>${title}</h1>
						<p>${subtitle}</p>
					</div>
					<a href="/">Overview</a>
				</header>
				<main>
					${notice === undefined ? '' : html`<p class="notice" role="status">${notice}</p>`}
					${content}
				</main>
			</body>
		</html> `.text;
}

export type Cell = string | number | Html;

/** For each column heading, a function that returns the cell of a record. Columns with a # before the heading align right. */
export type Columns<T> = Record<string, (record: T) => Cell>;

/** Returns a section with a table of records, followed by `below`. */
export function table<T>(
	heading: string,
	{ rows, note }: { rows: readonly T[]; note: string },
	columns: Columns<T>,
	{ wide = false, below = html`` } = {},
): Html {
	const kind = (column: string): string => (column.startsWith('#') ? 'number' : '');
	const label = (column: string): string => column.replace('#', '');
	const names = Object.keys(columns);
	const head = names.map((column) => html`<th class="${kind(column)}">${label(column)}</th>`);
	const body = rows.map(
		(record) =>
			html`<tr>
				${Object.entries(columns).map(
					([column, cell]) =>
						html`<td class="${kind(column)}" data-label="${label(column)}">${cell(record)}</td>`,
				)}
			</tr>`,
	);
	return html`<section class="${wide ? 'wide' : ''}">
		<h2>${heading}<small>${note}</small></h2>
		${
			rows.length === 0
				? html`<p class="empty">None.</p>`
				: html`<div class="scroll" tabindex="0">
						<table class="${names.length > 2 ? 'stacked' : ''}">
							<thead>
								<tr>
									${head}
								</tr>
							</thead>
							<tbody>
								${body}
							</tbody>
						</table>
					</div>`
		}
		${below}
	</section> `;
}
