/**
 * `expect.any()` and its like stand in for any value; @types/jest gives them the type `any`, which would switch type checking
 * off around them.
 */
declare global {
	namespace jest {
		interface Expect {
			any(type: unknown): unknown;
			anything(): unknown;
			arrayContaining(values: readonly unknown[]): unknown;
			objectContaining(fields: object): unknown;
			stringContaining(text: string): unknown;
			stringMatching(pattern: string | RegExp): unknown;
		}
	}
}

export {};
