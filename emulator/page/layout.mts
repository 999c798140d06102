import { html, Html } from './html.mts';

const style = new Html(`
	:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6672; --line: #e2e7ec; --accent: #0b6e69; --header: #0b6e69; --on-accent: #fff; --back: #f5f7f9; --paper: #fff; --code: #eef3f3; --hover: #e7f3f2; --field: #8a949e;
		--tag: #e9eef2; --on-tag: #44525f; --live: #d9f2e3; --on-live: #146c3a; --scheduled: #e3ecfd; --on-scheduled: #24509c; --bad: #fde3e1; --on-bad: #a3231a; }
	@media (prefers-color-scheme: dark) {
		:root { --ink: #e4e9ee; --soft: #a3afba; --line: #37424d; --accent: #6fd3cb; --header: #0a4f4b; --on-accent: #0c2120; --back: #151a1f; --paper: #1e252c; --code: #2a343d; --hover: #24403e; --field: #77838f;
			--tag: #35404a; --on-tag: #cfd8e0; --live: #173f28; --on-live: #9fe3b9; --scheduled: #22345a; --on-scheduled: #b5cdfb; --bad: #54211d; --on-bad: #ffb9b2; }
	}
	* { box-sizing: border-box; }
	body { margin: 0; font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--back); }
	header { background: var(--header); color: #fff; padding: 22px 32px; display: flex; justify-content: space-between; align-items: center; gap: 24px; }
	header h1 { margin: 0; font-size: 22px; overflow-wrap: anywhere; }
	header p { margin: 2px 0 0; opacity: .85; }
	header a { color: #fff; }
	main { max-width: 1240px; margin: 24px auto; padding: 0 24px; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 20px; }
	section { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 16px 20px; }
	section.wide { grid-column: 1 / -1; }
	h2 { margin: 0 0 10px; font-size: 16px; }
	h2 small { color: var(--soft); font-weight: normal; margin-left: 6px; }
	table { width: 100%; border-collapse: collapse; font-size: 14px; }
	th { text-align: left; color: var(--soft); font-weight: 600; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); }
	td { padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
	tr:last-child td { border-bottom: 0; }
	td.number, th.number { text-align: right; padding-right: 16px; font-variant-numeric: tabular-nums; }
	code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; background: var(--code); padding: 1px 6px; border-radius: 5px; overflow-wrap: anywhere; }
	a { color: var(--accent); }
	.tag { display: inline-block; padding: 0 8px; border-radius: 999px; font-size: 12px; background: var(--tag); color: var(--on-tag); }
	.tag.live { background: var(--live); color: var(--on-live); }
	.tag.scheduled { background: var(--scheduled); color: var(--on-scheduled); }
	.tag.bad { background: var(--bad); color: var(--on-bad); }
	.empty { color: var(--soft); margin: 0; }
	.soft { color: var(--soft); margin: 0 0 6px; }
	.scroll { overflow-x: auto; }
	td { min-width: 5em; }
	td code { display: inline-block; min-width: 20em; }
	.scroll .tag { white-space: nowrap; }
	.notice { grid-column: 1 / -1; margin: 0; padding: 10px 16px; border-radius: 10px; background: var(--live); color: var(--on-live); }
	.actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
	.actions form, td form { margin: 0; }
	section > .actions { margin-top: 14px; }
	button, a.button { font: 600 13px/1.4 inherit; font-family: inherit; padding: 5px 12px; border: 1px solid var(--accent); border-radius: 7px; background: var(--paper); color: var(--accent); cursor: pointer; text-decoration: none; white-space: nowrap; }
	button:hover, a.button:hover { background: var(--hover); }
	form.survey > button, .message .button { background: var(--accent); color: var(--on-accent); padding: 9px 22px; font-size: 15px; }
	.question { display: block; border: 0; margin: 0 0 20px; padding: 0; min-width: 0; }
	.question legend { padding: 0; margin-bottom: 6px; }
	.question input[type=text], .question input[type=email], .question textarea, .question select { width: 100%; max-width: 560px; }
	.question input, .question textarea, .question select { font: inherit; padding: 6px 9px; border: 1px solid var(--field); border-radius: 7px; }
	.needed { color: var(--on-bad); }
	.choices { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; }
	.choices.rating { flex-wrap: nowrap; justify-content: space-between; gap: 2px; max-width: 560px; }
	.choices.rating input { margin: 2px; }
	.choices.rating label { display: inline-flex; flex-direction: column-reverse; align-items: center; }
	.branch { display: none; border-left: 3px solid var(--accent); padding-left: 14px; }
	.message { max-width: 420px; }
	.message p { white-space: pre-line; overflow-wrap: anywhere; }
	@media (max-width: 800px) { header { padding: 16px; flex-wrap: wrap; gap: 8px; } main { padding: 0 12px; margin: 12px auto; gap: 12px; } section { padding: 12px; } }
	@media (max-width: 800px) { main { grid-template-columns: minmax(0, 1fr); } }
`);

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
	const head = Object.keys(columns).map(
		(column) => html`<th class="${kind(column)}">${column.replace('#', '')}</th>`,
	);
	const body = rows.map(
		(record) =>
			html`<tr>
				${Object.entries(columns).map(
					([column, cell]) => html`<td class="${kind(column)}">${cell(record)}</td>`,
				)}
			</tr>`,
	);
	return html`<section class="${wide ? 'wide' : ''}">
		<h2>${heading}<small>${note}</small></h2>
		${rows.length === 0
			? html`<p class="empty">None.</p>`
			: html`<div class="scroll" tabindex="0">
					<table>
						<thead>
							<tr>
								${head}
							</tr>
						</thead>
						<tbody>
							${body}
						</tbody>
					</table>
				</div>`}
		${below}
	</section> `;
}
