// Asks for causal chains, and reads them.
import type { TestServer } from '../testkit/server.ts';

interface Node {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly at: string | null;
  readonly actor: string | null;
  readonly depth: number;
  readonly details: Record<string, unknown>;
}
export interface Chain {
  readonly nodes: readonly Node[];
  readonly links: readonly { cause: string; effect: string; kind: string }[];
  readonly nextCursor: string | null;
}
export const askWhy = async (
  server: Pick<TestServer, 'graphql'>,
  subject: string,
  more: Record<string, unknown>,
  key: string,
): Promise<Chain | null> => {
  const { body } = await server.graphql(
    `query ($subject: ID!, $direction: CausalDirection! = BACKWARD, $depth: Int! = 10, $first: Int! = 500, $after: String, $asOf: DateTime) {
      why(subject: $subject, direction: $direction, depth: $depth, first: $first, after: $after, asOf: $asOf) {
        nodes { key kind name at actor depth details } links { cause effect kind } nextCursor } }`,
    { subject, ...more },
    { key },
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.why as Chain | null;
};
export const keysOf = (chain: Chain | null): readonly string[] => chain?.nodes.map(({ key }) => key) ?? [];
export const kindsOf = (chain: Chain | null): readonly string[] => chain?.nodes.map(({ kind }) => kind) ?? [];
export const nodeOf = (chain: Chain | null, kind: string): Node | undefined =>
  chain?.nodes.find((node) => node.kind === kind);

/** A type whose entities are in projects. */
export const registerSample = async (server: Pick<TestServer, 'rest'>): Promise<void> => {
  const fields = ['label', 'note', 'project'].map((name) => ({ name, field_type: 'string' }));
  await server.rest('POST', '/api/v1/metadata/schemas', { body: { name: 'Sample', version: '1', fields } });
};
/** Writes a sample with a reason, and says which request that was. */
export const ingestSample = async (
  server: Pick<TestServer, 'rest'>,
  id: string,
  data: object,
): Promise<string> => {
  const { status, headers, text } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', id, data },
    headers: { 'x-metadata-context': '{"notes": "because"}' },
  });
  if (status !== 200) throw new Error(text);
  return headers.get('x-request-id') ?? '';
};
