// Puts PostgreSQL session settings into a connection URL, so that whoever connects with it has them from the first statement.

/** The URL with `-c` settings appended to its `options`. */
export function withSessionOptions(url: string, options: string): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  changed.searchParams.set('options', given === null ? options : `${given} ${options}`);
  changed.search = changed.search.replaceAll('+', '%20'); // the form of a space that every reader of such URLs understands
  return changed.href;
}
