/**
 * Declares that `expect.any()` and similar matchers return `unknown`. @types/jest declares `any`, which would disable type
 * checking wherever a matcher is used.
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
