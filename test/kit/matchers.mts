/**
 * Replaces the type `any` that @types/jest declares for `expect.any()` and similar matchers, which would disable type
 * checking around them.
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
