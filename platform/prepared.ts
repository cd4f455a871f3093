// Statements that PostgreSQL parses and plans once per connection: for small reads that is most of their cost.

const names = new Map<string, string>();

/** A query for `pg` under a name of its own. Only for texts of which there is a bounded number of forms, and that want the same plan whatever the values. */
export function prepared(text: string, values: unknown[]): { name: string; text: string; values: unknown[] } {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `prepared-${names.size}`));
  return { name, text, values };
}

/**
 * A list of texts as parameter `$n`, for `= ANY(…)` and `unnest(…)` in prepared statements. The planner does not see how long the list is: a plan
 * for the very list of one or two would look cheaper to it than the one it keeps, so that it would plan again each time, which costs more than running.
 */
export const listed = (n: number): string => `(SELECT $${n}::text[])::text[]`;
