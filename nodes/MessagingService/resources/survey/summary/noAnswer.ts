/** Letters that have no form without an accent in Unicode. */
const PLAIN: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l' };

/** Options that say "no answer", by language. Case, accents and punctuation make no difference. */
const NO_ANSWER = new Set(
	[
		'n/a, not applicable, not available, not relevant, no answer, no response, no opinion, no idea, skip, unsure, not sure',
		"don't know, do not know, idk, can't say, can not say, cannot say, can't tell, can't judge, unable to say, unable to judge",
		"prefer not to say, prefer not to answer, rather not say, I'd rather not say, decline to answer, do not wish to answer",
		'k. A., keine Angabe, keine Angaben, keine Antwort, keine Meinung, weiß nicht, weiß ich nicht, ich weiß nicht, ich weiß es nicht',
		'trifft nicht zu, nicht zutreffend, nicht anwendbar, nicht relevant, entfällt, kann ich nicht sagen, kann ich nicht beurteilen, nicht beurteilbar, möchte ich nicht sagen, möchte ich nicht beantworten',
		'nsp, ne sait pas, je ne sais pas, ne se prononce pas, sans opinion, sans objet, sans réponse, pas de réponse, non applicable, non concerné, je préfère ne pas répondre',
		'ns, nc, no sé, no lo sé, no sabe, no contesta, no aplica, no procede, sin respuesta, sin opinión, prefiero no decirlo, prefiero no contestar, prefiero no responder',
		'non so, non lo so, non applicabile, non pertinente, nessuna risposta, preferisco non rispondere',
		'não sei, não se aplica, não aplicável, sem resposta, sem opinião, prefiro não dizer, prefiro não responder',
		'n.v.t., niet van toepassing, weet niet, weet ik niet, ik weet het niet, geen antwoord, geen mening, zeg ik liever niet, wil ik niet zeggen',
		'vet ej, vet inte, ej relevant, inte relevant, ej aktuellt, ej tillämpligt, inget svar, ingen åsikt, vill inte svara, vill inte säga',
		'vet ikke, ved ikke, ikke relevant, ikke aktuelt, ikke svar, intet svar, ingen svar, ønsker ikke å svare, ønsker ikke at svare',
		'eos, en osaa sanoa, en tiedä, ei vastausta, nie wiem, nie dotyczy, trudno powiedzieć, brak odpowiedzi, nevím, bilmiyorum',
	].flatMap((entries) => entries.split(', ').map(simplify)),
);

/** Removes capitals, accents and apostrophes, and the signs of "n/a" and "k. A.": `'Weiß nicht'` → `'weiss nicht'`. */
function simplify(text: string): string {
	return text
		.toLowerCase()
		.replace(/['’‘´`]/g, '')
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/[ßøł]/g, (letter) => PLAIN[letter] ?? letter)
		.replace(/(?<![\p{L}\p{N}])(\p{L}) ?[./] ?(?=\p{L}(?![\p{L}\p{N}]))/gu, '$1')
		.replace(/[\s.-]+/g, ' ')
		.trim();
}

/**
 * Whether an option says "no answer", such as "N/A", "I don’t know / can’t say" or "keine Angabe (k. A.)". "None" and "0" are
 * answers.
 */
export function saysNoAnswer(option: string): boolean {
	const parts = simplify(option).split(/[^\p{L}\p{N} ]+| (?:or|oder|ou|of|eller) /u);
	const phrases = parts.map((part) => part.trim().replace(/^i (am )?/, ''));
	const given = phrases.filter((phrase) => phrase !== '');
	return given.length > 0 && given.every((phrase) => NO_ANSWER.has(phrase));
}
