/** One line while it is read. */
export type Line = {
	text: string;
	/** The number of the question, from 1; what arrows point at. */
	number: number;
	/** How many questions there are. */
	count: number;
	report: (message: string, advice: string) => void;
};
