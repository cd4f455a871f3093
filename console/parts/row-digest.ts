// Knows rows again that were loaded before, without keeping them: a digest over each part and those before it.

/** Rows of a request: few enough that the progress moves. */
export const PART = 500;

/** Over a part of rows and what is before it; undefined where the browser computes none, on plain HTTP. */
export async function digestAfter(
  before: string | undefined,
  part: readonly unknown[],
): Promise<string | undefined> {
  // absent where the page is not secure, whatever its type says
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return undefined;
  const text = new TextEncoder().encode(`${before ?? ''}${JSON.stringify(part)}`);
  const bytes = new Uint8Array(await subtle.digest('SHA-256', text));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Over the first rows of a list, which is loaded in parts. */
export async function digestOf(rows: readonly unknown[]): Promise<string | undefined> {
  let digest: string | undefined;
  for (let from = 0; from < rows.length; from += PART)
    digest = await digestAfter(digest, rows.slice(from, from + PART));
  return digest;
}
