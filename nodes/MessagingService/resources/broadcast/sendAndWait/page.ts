import type { IDataObject } from 'n8n-workflow';

/** The question of a broadcast, stored as JSON in the context of the node. */
export type Question = {
	/**
	 * A random ID. n8n uses the same resume URL in each round of a loop, but an old page must not answer a new question.
	 */
	id: string;
	title: string;
	message: string;
	/** Button labels. Without `decline` there is only one button. Without `approve`, the question asks for text. */
	approve?: string;
	decline?: string;
};

/** What a person responds: the value of `data` in the output, without `respondedAt`. */
export type Reply = { approved: boolean } | { text: string };

/** The maximum length of a text response, in characters as browsers count them. A line break counts as one character. */
const LONGEST_TEXT = 10_000;

/** Headers of every page: no scripts, no external content, no caching. */
export const PAGE_HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy':
		"sandbox allow-forms; default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
};

/**
 * Returns the page with the question. Only a click on a button sends a response, so that a scanner or preview that opens the
 * link approves nothing.
 *
 * @param problem an error in the submitted form
 */
export function questionPage(question: Question, problem?: string): string {
	const alert = problem === undefined ? '' : `<p role="alert">${escape(problem)}</p>`;
	const content = `<p class="message">${escape(question.message)}</p>
${alert}
<form method="post">${formFields(question)}</form>`;
	return page(question.title, content);
}

/** Returns the text field of the form, or its one or two buttons. */
function formFields({ approve, decline }: Question): string {
	if (approve === undefined) {
		return `<label for="text">Your response</label>
<textarea id="text" name="text" rows="5" maxlength="${LONGEST_TEXT}" required></textarea>
<button>Send</button>`;
	}
	const approveButton = button('approve', approve);
	return decline === undefined ? approveButton : approveButton + button('decline', decline);
}

/**
 * Reads the form of the page.
 *
 * @param form its fields: `decision` (the clicked button) or `text`
 * @returns the response, or what is wrong if the button is unknown or the text is blank or too long
 */
export function readForm(
	{ approve, decline }: Question,
	form: IDataObject,
): { reply: Reply } | { problem: string } {
	if (approve !== undefined) {
		if (form.decision === 'approve') return { reply: { approved: true } };
		if (form.decision === 'decline' && decline !== undefined) return { reply: { approved: false } };
		return { problem: 'Please choose an option.' };
	}
	// Browsers send each line break as CRLF, and send at most `LONGEST_TEXT` characters.
	const text = typeof form.text === 'string' ? form.text.replace(/\r\n?/g, '\n').trim() : '';
	if (text !== '' && text.length <= LONGEST_TEXT) return { reply: { text } };
	return { problem: `Please write a response of at most ${LONGEST_TEXT} characters.` };
}

/** Returns a page with a message. */
export function notePage(title: string, text: string): string {
	return page(title, `<p>${escape(text)}</p>`);
}

/** Returns a button that sends the form. @param decision the value of the field `decision` */
function button(decision: string, label: string): string {
	return `<button name="decision" value="${decision}" class="${decision}">${escape(label)}</button>`;
}

/** Returns a page. @param content HTML, in which all texts are escaped */
function page(title: string, content: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body><main><h1>${escape(title)}</h1>
${content}</main></body>
</html>`;
}

function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --text: #1c1d21; --back: #f4f5f7; --card: #fff; --line: #767a85; --main: #1d5bbf; --on-main: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #eceef2; --back: #16171b; --card: #24262c; --line: #8d929e; --main: #8ab4f8; --on-main: #10131a; } }
body { margin: 0; padding: 1rem; background: var(--back); color: var(--text); font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.25rem; border-radius: .75rem; background: var(--card); overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
.message { white-space: pre-line; }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
label, textarea { flex: 1 0 100%; box-sizing: border-box; }
textarea, button { padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: var(--text); font: inherit; }
button { flex: 1 1 8rem; min-height: 3rem; font-weight: 600; cursor: pointer; }
button:not(.decline) { border-color: var(--main); background: var(--main); color: var(--on-main); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
[role=alert] { font-weight: 600; }`;
