import type { DisplayCondition } from 'n8n-workflow';

/**
 * Whether the builder gives a value by an expression: text that begins with "=". By comparison, because n8n lets a regular
 * expression fail on a machine that is busy for 250 ms (safeRegex of n8n-workflow 1.120.31 and 2.41.0), and `startsWith`
 * fails for a value that is no text (checkConditions of n8n-workflow 1.120.31).
 */
export const byExpression: DisplayCondition = { _cnd: { between: { from: '=', to: '>' } } };
