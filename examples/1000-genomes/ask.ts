// Asks a question by REST and by GraphQL and checks that both return the answer that the sheet itself gives.
import { isDeepStrictEqual } from 'node:util';
import type { Api } from './api.ts';
import type { Entity } from './entity.ts';
import type { Fields, Question } from './questions.ts';

export interface Answer {
  readonly items: readonly Fields[];
  readonly total: number;
}

/**
 * REST names an item's own fields in snake case, GraphQL in camel case. Stored data below them keeps its
 * names.
 */
const inCamelCase = (item: Fields): Fields =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

const answerOf = (data: readonly Fields[] | Answer): Answer =>
  'items' in data ? { items: data.items, total: data.total } : { items: data, total: data.length };

/** Returns the answer. @throws Error where the two APIs differ from each other or from what was `loaded` */
export async function ask(
  api: Api,
  { text, rest, graphql, isAnswer }: Question,
  loaded: readonly Entity[],
): Promise<Answer> {
  const search = rest.parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  const byRest = answerOf(
    await api.rest<readonly Fields[] | Answer>('GET', search === '' ? rest.path : `${rest.path}?${search}`),
  );
  const sent = await api.graphql<Readonly<Record<string, readonly Fields[] | Answer>>>(
    graphql.query,
    graphql.variables,
  );
  const byGraphql = answerOf(sent[graphql.pick] ?? []);
  const restItems = byRest.items.map(inCamelCase);
  if (byRest.total !== byGraphql.total || !isDeepStrictEqual(restItems, byGraphql.items)) {
    throw new Error(
      `REST and GraphQL differ in their answers to: ${text}\nREST: ${JSON.stringify(restItems).slice(0, 500)}\nGraphQL: ${JSON.stringify(byGraphql.items).slice(0, 500)}`,
    );
  }
  if (isAnswer) assertMatches(text, restItems, loaded, isAnswer);
  return { items: restItems, total: byRest.total };
}

/** Ignores entities that others have added to the same types. */
function assertMatches(
  text: string,
  items: readonly Fields[],
  loaded: readonly Entity[],
  isAnswer: (entity: Entity) => boolean,
): void {
  const ids = new Set(loaded.map(({ id }) => id));
  const answered = items
    .map(({ id }) => String(id))
    .filter((id) => ids.has(id))
    .sort();
  const wanted = loaded
    .filter(isAnswer)
    .map(({ id }) => id)
    .sort();
  if (!isDeepStrictEqual(answered, wanted)) {
    throw new Error(
      `REST and GraphQL answer alike to: ${text}\nbut not what the sheet says: ${answered.length} of the loaded entities, not ${wanted.length}`,
    );
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the question as two shell commands; the key comes from CAIRN_KEY. */
export function commands(
  url: string,
  { rest, graphql }: Question,
): { readonly rest: string; readonly graphql: string } {
  const key = '-H "X-Api-Key: $CAIRN_KEY"';
  const parameters = rest.parameters
    .map(([name, value]) => ` \\\n      --data-urlencode ${quoted(`${name}=${value}`)}`)
    .join('');
  const body = JSON.stringify({ query: graphql.query, variables: graphql.variables });
  return {
    rest: `curl -sG ${url}/api/v1/metadata${rest.path} ${key}${parameters}`,
    graphql: `curl -s ${url}/graphql ${key} -H 'Content-Type: application/json' \\\n      -d ${quoted(body)}`,
  };
}
