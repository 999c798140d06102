import { questionTypes } from '../questionTypes';

// The signs that keyboards, word processors, web pages and language models write, as sources of regular expressions without
// groups. The tables need not be complete, because a text that is not certain is refused.

/** Separates options. A tab separates the cells of a table. */
export const COMMA = '[,،，、\\t]';
export const SEMICOLON = '[;；؛]';
export const COLON = '[:：]';
export const OPENING = '[(（【［〔]';
export const CLOSING = '[)）】］〕]';
export const IN_BRACKETS = `${OPENING}[^]*?(?:${CLOSING}|$)`;
export const DOTS = '(?:…|\\.\\.\\.)';

/** U+F0E0 and U+F0E8 are the arrows of Word. */
export const ARROW = '(?:[→↦⇒⇛⇢⇨⇾➔➙➛➜➝➞➟➠➡➢➤➨⟶⟹⟼⟾⭢🠒🡆🡒👉►▶\\uf0e0\\uf0e8]\\ufe0f?|[-=–—]{1,3}>)';
/** Points forward in right-to-left text. */
export const BACKWARD_ARROW = '(?:[←⇐⟵⟸⬅]\\ufe0f?|<[-–—]{1,3})';

/** The mark of a list or a heading at the beginning of a line. U+F0A7, U+F0A8 and U+F0B7 are the bullets of Word. */
export const MARK =
	'(?:(?:[-–—*+]|#{1,6})\\s+|(?:[•‣◦·∙●○◯▪▫■□▢◻❏❑❒☐☑☒✓✔➢➤\\uf0a7\\uf0a8\\uf0b7]|\\[[ xX]?\\])\\s*)?';
/** The number or letter behind it: `1.`, `1.)`, `a)`. */
export const LABEL = '(?:\\p{Nd}{1,6}(?:\\.?[.):．](?!\\p{Nd})\\s*|\\t)|[a-zA-Z]\\.?\\)\\s+)?';

/** Words in brackets that say whether a question must be answered. */
export const REQUIRED =
	'required|mandatory|pflichtfeld|pflicht|erforderlich|obligatoire|obligatorio|obligatorisk|verplicht|必須|必填';
export const OPTIONAL =
	'optional|not required|freiwillig|facultatif|opcional|optioneel|valgfri|任意|选填';

/** The settings in brackets, such as `layout: vertical`, and their fields. `checkQuestions` checks the values. */
export const SETTINGS = new Map([
	['description', 'desc'],
	['placeholder', 'placeholder'],
	['layout', 'layout'],
	['decimals', 'decimal'],
]);

/**
 * Reads a table of signs that are hardly part of a text, so that a text with such a sign is refused.
 *
 * @param rows in each row, what the error says, two blanks or more, and a regular expression that finds the sign
 */
function readSignTable(rows: string) {
	return rows.split('\n').flatMap((row) => {
		const [problem = '', ...source] = row.trim().split('  ');
		return problem === '' ? [] : [{ problem, sign: new RegExp(source.join('').trim(), 'iu') }];
	});
}

/** Signs that refuse any text: a question, an option, a row or a label. */
export const TEXT_SIGNS = readSignTable(String.raw`
	an arrow to a question is allowed only after an option  (?:${ARROW}|${BACKWARD_ARROW})\s*(?:q|question|#)?\s*\p{Nd}
	leftover formatting           (?<!\p{L})[*_]|[*_](?!\p{L})|[${'`'}~|<>{}[\]=☐☑☒□▢◻❏❑❒○◯⬜•\ue000-\uf8ff\ufffc\ufffd]|&#?\w{2,8};|\t|\s{3}|\.{4}
	leftover list marker          ^(?:[a-z]|\p{Nd}{1,2}|[ivx]+)[.)]\s|^[-–+]\s|^[\p{Nd}.]+[.)]\p{L}|\s[a-z\d]{1,2}\)\s|^[①-⑳]|\u20e3
	leftover arrow in words       \b(?:go|skip|jump|weiter|aller|passer|ir|gå|naar)\s(?:on\s)?(?:to|with|mit|zu|à|a|til|till|naar)\s\D{0,12}\d|\p{L}\s?(?:\s#\s?|[⤵↴…:]\s|\.\.\.\s|\s(?:then|à|è)\s)\d+$
`);

/** Signs that refuse an option, a row or a label. */
export const OPTION_SIGNS = [
	...TEXT_SIGNS,
	...readSignTable(String.raw`
		leftover word between options            ^(?:and|or|und|oder|et|ou)\s|^(?:etc|usw)\b|^${DOTS}
		a setting must follow a semicolon        (?:^|,\s*)(?:${[...SETTINGS.keys()].join('|')})\s?[:：]|^(?:${REQUIRED}|${OPTIONAL})$
		leftover list marker                     [,;]$|\s[a-z]\.\s
		leftover list name                       ^(?:rows?|columns?|options?|choices|answers|choose|select|pick|max)\b[^:]*:\s
		a quote is not around the whole option   ["“”„«»‹›「」『』]|^['‘’‚]
	`),
];

const NAMES = questionTypes
	.flatMap(({ name, value, alsoCalled = [] }) => [name.toLowerCase(), value, ...alsoCalled])
	.map((name) => name.replace(/[()/]/g, '\\$&'))
	.join('|');

/** Signs that refuse the text of a question. */
export const QUESTION_SIGNS = [
	...readSignTable(String.raw`
		two questions in one line?                (?:${OPENING}|\[)\s*(?:${NAMES})\s*(?:${COLON}|${SEMICOLON}|${CLOSING}|\]|\d)
		the type belongs into the last brackets   ^(?:${NAMES}|q|question|title|type)\s*[:：–—|,-]
	`),
	...TEXT_SIGNS,
	...readSignTable(String.raw`
		leftover chat time                        ^\d{1,2}:\d\d[\s,].*:\s
		leftover question marker                  ^(?:[-+»→#]+|/{2})\s?\p{L}|^(?:q|(?:question|frage|pregunta|pytanie|vraag|fråga|domanda)\s)\d+[\s.:]|^\d{1,3}\s?[-–/]\s|^\d{1,2}\s(?:how|what|which|when|where|who|why|do|did|does|is|are|was|will|can|have|wie|wer|wo|wann|warum|hast|ist)\s|^\(\d+\)|\s[-–—→]$|\?\s?:$
		a question is required only by its end    [([（【](?:${REQUIRED})[)\]）】]|^(?:${REQUIRED})\s?:
		leftover scale                            \b1\s+2\s+3\b
	`),
];

/** Signs that refuse the text of a rating, and of a question without a type. */
export const RATING_SIGNS = [
	...QUESTION_SIGNS,
	...readSignTable(String.raw`
		write the type and its options in brackets  [(（[]\s?(?:y|yes|ja|j|oui|sí|si|tak)\s?/\s?(?:n|no|nein|non|nie)\s?[)）\]]
		a rating goes from 0 to 10                  \b1\s?(?:[-–]|to|bis|à|a|al|til|tot)\s?(?:[2-9]|10|100)\b|\b0\s?(?:[-–]|to|bis|à|a|til|tot)\s?(?:[2-9]|100)\b
	`),
];

/** A question that only some are asked. */
export const CONDITION =
	/(?:^|[([]\s?)(?:(?:only|nur)\s)?(?:if|wenn|falls|si|se|om|als|hvis|если)\s["“„'‘«]?(?:yes|no|so|not|ja|nein|nicht|oui|non|sí|no|sì|nee|nej|да|нет|\d)(?!\p{L})|^(?:yes|no|ja|nein|oui|non)\s?:/iu;
