// Content that is compared with its hash while it passes.
import { createHash } from 'node:crypto';

/**
 * The same chunks. After the last one, before whoever takes them has them whole, another hash is an error.
 * @param hash `sha256:…`
 * @throws what `otherHash` makes
 */
export async function* hashedContent(
  content: AsyncIterable<Buffer>,
  hash: string,
  otherHash: () => Error,
): AsyncGenerator<Buffer, void, undefined> {
  const digest = createHash('sha256');
  for await (const chunk of content) {
    digest.update(chunk);
    yield chunk;
  }
  if (`sha256:${digest.digest('hex')}` !== hash) throw otherHash();
}
