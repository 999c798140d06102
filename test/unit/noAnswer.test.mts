import { saysNoAnswer } from '../../nodes/MessagingService/resources/survey/summary/noAnswer.ts';

const list = (text: string): string[] => text.trim().split(/\s*;\s*/);

test.each(
	list(`
		N/A; n/a; N.A.; n. a.; NA; N / A; (N/A); ☐ N/A; — N/A —; Not applicable; not-applicable; Not Applicable.; No answer;
		Don’t know; Don't know; I don´t know; do not know; I am not sure; Can't say; Prefer not to say; I prefer not to say;
		I'd rather not say; No opinion; No idea; N/A (not applicable); Don’t know / can’t say; Don't know or prefer not to say;
		keine Angabe; k. A.; k.A.; K.A; weiß nicht; Weiss nicht; Weiß ich nicht; trifft nicht zu; keine Angabe / weiß nicht;
		Möchte ich nicht sagen; Kann ich nicht beurteilen; Ne sait pas; Sans réponse; NS/NC; No sé; No se; Non so; Não sei;
		não se aplica; n.v.t.; Weet ik niet; Vet inte; Ønsker ikke å svare; Ved ikke; En osaa sanoa; Nie wiem; Trudno powiedzieć
	`),
)('%j says no answer', (option) => {
	expect(saysNoAnswer(option)).toBe(true);
});

test.each([
	...list(`
		More; 5 or more; 1 - very bad; None; Nobody; 0; 1; 10+; No; Not at all; Never; Other; Neither; Neutral; No change; x; N; A;
		Keine; Nicht; Sonstiges; Na ja; Don't know how to rate; Can't complain; N/A for 2 years; Sales; -; /; ?
	`),
	...['', ' '],
])('%j is an answer', (option) => {
	expect(saysNoAnswer(option)).toBe(false);
});
