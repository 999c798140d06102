export interface Template {
	readonly _id: string;
	name: string;
	marketImagePath: string;
	lang: string;
	categories: string[];
	isSurvey: boolean;
	templateUrl: string;
}
