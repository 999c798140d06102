import { questionTypes } from '../questionTypes';

// The signs that keyboards, word processors, web pages and language models write. All are sources of regular expressions
// without groups. A text that is not certain is refused, so these tables need not be complete.

/** Separates options. A tab separates the cells of a table. */
export const COMMA = '[,،，、\\t]';
export const SEMICOLON = '[;；؛]';
export const COLON = '[:：]';
export const OPENING = '[(（【［〔]';
export const CLOSING = '[)）】］〕]';
export const DOTS = '…|\\.\\.\\.';

/** U+F0E0 and U+F0E8 are the arrows of Word. */
export const ARROWS = '→↦⇒⇛⇢⇨⇾➔➙➛➜➝➞➟➠➡➢➤➨⟶⟹⟼⟾⭢🠒🡆🡒👉►▶\\uf0e0\\uf0e8';
export const ARROW = `[${ARROWS}]\\ufe0f?|[-=–—]{1,3}>`;
/** Points forward in right-to-left text. */
export const BACKWARD_ARROW = '[←⇐⟵⟸⬅]\\ufe0f?|<[-–—]{1,3}';
export const RIGHT_TO_LEFT =
	/\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}/u;

/** A mark of a list or a heading at the beginning of a line. U+F0A7, U+F0A8 and U+F0B7 are the bullets of Word. */
export const LIST_MARK =
	'(?:[-–—*+]|o(?=\\t)|#{1,6})\\s+|(?:[•‣◦·∙●○◯▪▫■□▢◻❏❑❒☐☑☒✓✔➢➤\\uf0a7\\uf0a8\\uf0b7]|\\[[ xX]?\\])\\s*';
/** A number at the beginning of a line. The number of a question or an option. */
const NUMBER = '(?:[Qq]|Question |Frage )?[([]?\\p{Nd}{1,6}(?:\\.\\p{Nd}{1,3}){0,3}';
export const NUMBER_MARK = [
	`${NUMBER}(?:[.):\\]．）：、](?:\\s+|(?=[\\p{Lu}\\p{Lo}"“„«¿*_\`【]))|\\t|\\s[-–—]\\s(?=\\p{L})|\\ufe0f?\\u20e3\\s*)`,
	`\\*\\*${NUMBER}[.):]\\*\\*\\s*`,
	'[①-⑳]\\s*',
].join('|');
export const LETTER_MARK = '\\(?(?:[a-zA-Z]|[ivx]{2,4})\\)\\s+|[a-zA-Z]\\.\\s+';

/** The end of a question in any script. In Greek, it is a semicolon. */
export const QUESTION_END = /(?:[?？؟⁇⁈⁉‽⸮፧꘏꛷]|(?<=\p{Script=Greek})[;\u037e])$/u;
/** What may stand behind the question mark: quotes, brackets, emphasis, emoji. */
export const BEHIND_QUESTION =
	/[\s"'”’»«“‘›‹」』)）】］〕\]*_\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f/u;

/** Words in brackets that say whether a question must be answered. */
export const REQUIRED =
	'required|mandatory|pflichtfeld|pflicht|erforderlich|obligatoire|obligatorio|obligatorisk|verplicht|必須|必填';
export const OPTIONAL =
	'optional|not required|freiwillig|facultatif|opcional|optioneel|valgfri|任意|选填';

/** A sign that is hardly meant for people, and what the error says. The text is in lower case. */
export type Sign = { sign: string; problem: string };

/** Reads a table of signs: a problem, two blanks, the source of a regular expression. */
function table(rows: string): Sign[] {
	const cells = rows.split('\n').map((row) => row.trim().split('  '));
	return cells.flatMap(([problem = '', ...rest]) => {
		const sign = rest.join('').trim();
		return sign === '' ? [] : [{ sign, problem }];
	});
}

export const TEXT_SIGNS = table(String.raw`
	a mark of Markdown is left     \*\*|\*[^\s*][^*]*\*|${'`[^`]*`'}|__\s|\s__|~~|==|\]\(
	a blank or a box is left       _{3,}|\.{5,}|[☐☑☒□▢◻❏❑❒○◯⬜]|\[[ x]\]
	a gap between cells is left    \s{3,}|\t
	a sign of one font is left     [\ue000-\uf8ff\ufffc\ufffd]
	HTML is left                   </?[a-z]{1,10}\d?(?:\s[^<>]*)?/?>|&(?:#x?[\da-f]{1,6}|[a-z]{2,8});
	a mark of a list is left       ^(?:[a-z]|\d{1,2}|[ivx]+)[.)]\s|^[-–•]\s|\s(?:[*•|]|[a-z\d]{1,2}\))\s
	an arrow in words is left      \b(?:go|skip|jump|weiter|aller|passer|ir|gå|naar)\s(?:on\s)?(?:to|with|mit|zu|à|a|til|till|naar)\s\D{0,12}\d
	an arrow in words is left      \p{L}\s(?:[#=]\s?\d+|\[\d+\])$
	an arrow in words is left      \p{L}\s?(?:>|⤵|↴|…|\.\.\.|:|then|à|è)\s\d+$
`);

/** The same for an option or a row. */
export const OPTION_SIGNS = [
	...TEXT_SIGNS,
	...table(String.raw`
		a word between options is left  ^(?:and|or|und|oder|et|ou)\s|^(?:etc|usw|…|\.\.)\.?$
		a mark of a list is left        [,;]$|\s[a-z]\.\s|\p{L}\s>\s\p{L}
		a name of the list is left      ^(?:rows?|columns?|options?|choices|answers|choose|select|pick|max)\b[^:]*:\s
		a bracket or a quote is left    ^[\[{][^\]}\\]*$|^[^\[{\\]*[\]}]$|^<<|>>$|""
	`),
];

const NAMES = questionTypes
	.flatMap(({ name, value, alsoCalled = [] }) => [name.toLowerCase(), value, ...alsoCalled])
	.map((name) => name.replace(/[()/]/g, '\\$&'))
	.join('|');

/** The same for the text of a question. */
export const QUESTION_SIGNS = [
	...TEXT_SIGNS,
	...table(String.raw`
		a quote or a row of a table is no question  ^[>|]|^\[?\d{1,2}:\d\d[\s,\]].*:\s
		a mark of the question is left              ^(?:[-*+»→=~#]|/{2})\s?\p{L}|^(?:q|question|title|type)\s?:|^q\d+[\s.:]|\s[-–—→|]$|\?\s?:$
		two questions in one line?                  (?:${OPENING}|\[)\s*(?:${NAMES})\s*(?:${COLON}|${SEMICOLON}|${CLOSING}|\]|\d)
		a question is required only by its end      [([（【](?:${REQUIRED})[)\]）】]|^(?:${REQUIRED})\s?:
		a scale is left                             \b1\s+2\s+3\b
	`),
];

/** The same for a rating, and for a question without a type. */
export const RATING_SIGNS = [
	...QUESTION_SIGNS,
	...table(String.raw`
		a rating goes from 0 to 10  \b1\s?(?:[-–]|to|bis|à|a|til|tot)\s?(?:[2-9]|10|100)\b|\b0\s?(?:[-–]|to|bis|à|a|til|tot)\s?(?:[2-9]|100)\b
	`),
];
export const PLAIN_SIGNS = [
	...QUESTION_SIGNS,
	...table(String.raw`
		the type belongs into the last brackets  ^(?:${NAMES})\s*[:：–—|,-]|[(（【［〔][^)）】］〕]*[:;：；]
	`),
];

/** Options that are the numbers from one to another: `1-5`. */
export const NUMBERS = /^(\d{1,4})\s*(?:[-–—−~～〜…]|\.{2,3}|to|bis)\s*(\d{1,4})$/;

/** What may separate options, but also be part of a single option. */
export const OTHER_SEPARATOR = '/|…|\\.\\.\\.|[–—•·☐○]|\\s-\\s|\\sor\\s';

/** A question that only some are asked. */
export const CONDITION =
	/(?:^|[([]\s?)(?:(?:only|nur)\s)?(?:if|wenn|falls|si|se|om|als|hvis|если)\s["“„'‘«]?(?:yes|no|so|not|ja|nein|nicht|oui|non|sí|no|sì|nee|nej|да|нет|\d)(?!\p{L})|^(?:yes|no|ja|nein|oui|non)\s?:/iu;
