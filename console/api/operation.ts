// GraphQL operations of the console. Their types are generated from the public schema
// (scripts/console-types.mjs), which finds them by the name of this function.

export interface Operation<Data, Variables> {
  readonly name: string;
  readonly text: string;
  /** Never there: only carries the types. */
  readonly types?: readonly [Data, Variables];
}

/** @param text a document with one named operation, and the fragments that it names */
export function operation<Data, Variables = Readonly<Record<string, never>>>(
  text: string,
  ...fragments: readonly string[]
): Operation<Data, Variables> {
  const name = /\b(?:query|mutation|subscription)\s+(\w+)/.exec(text)?.[1];
  if (name === undefined) throw new Error('an operation of the console needs a name');
  return { name, text: [text, ...fragments].map(dedent).join('\n') };
}

/** An operation with its variables, as it is sent and shown. */
export interface ApiRequest {
  readonly name: string;
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Where REST and the command line have the answer as a file. */
  readonly file?: FileRequest;
}

export interface FileRequest {
  /** Below the server's root, with the query. */
  readonly path: string;
  readonly name: string;
  /** What follows `cairn`, as words. */
  readonly command: readonly string[];
}

export const requestOf = <Data, Variables>(
  { name, text }: Operation<Data, Variables>,
  variables: Variables,
): ApiRequest => ({
  name,
  text,
  variables: Object.fromEntries(
    // generated types have no index signature
    Object.entries(variables as Record<string, unknown>).filter(([, value]) => value !== undefined),
  ),
});

/** The text without the indentation of the source that it is written in. */
function dedent(text: string): string {
  const lines = text.replace(/^\n+|\s+$/g, '').split('\n');
  const margin = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
  );
  return lines.map((line) => line.slice(margin)).join('\n');
}
