import type { DisplayCondition } from 'n8n-workflow';

/**
 * Matches a value that is an expression: text that begins with "=". All such texts lie between "=" and ">" in sort order. The
 * condition is a comparison, because n8n's other conditions can fail. n8n aborts a regular expression when the machine is
 * busy for 250 ms (safeRegex of n8n-workflow 1.120.31 and 2.41.0). `startsWith` fails for a value that is not text
 * (checkConditions of n8n-workflow 1.120.31).
 */
export const byExpression: DisplayCondition = { _cnd: { between: { from: '=', to: '>' } } };
