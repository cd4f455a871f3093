// Creates prepared statements, which PostgreSQL parses and plans once per connection. For small reads, that
// is most of their cost.

const names = new Map<string, string>();

/**
 * Returns a named query for `pg`. Use it only for a bounded number of texts, with a plan that does not depend
 * on the values.
 */
export function prepared(text: string, values: unknown[]): { name: string; text: string; values: unknown[] } {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `prepared-${names.size}`));
  return { name, text, values };
}

/**
 * Returns a list of texts as parameter `$n`, for `= ANY(…)` and `unnest(…)` in prepared statements. It hides
 * the list's length from the planner. Otherwise a custom plan for a list of one or two would look cheaper
 * than the generic plan, and PostgreSQL would plan each time, which costs more than running the statement.
 */
export const listed = (n: number): string => `(SELECT $${n}::text[])::text[]`;
