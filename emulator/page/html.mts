/** HTML that needs no escaping. */
export class Html {
	constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Part[];

function render(part: Part): string {
	if (part instanceof Html) return part.text;
	if (typeof part === 'object') return part.map(render).join('');
	return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The tag of a template that returns HTML. Escapes all values that are not `Html`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
	let text = strings[0] ?? '';
	for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '');
	return new Html(text);
}
