// Asks the platform for entities by their ids, in conditions of CEL.
import { inGroups } from '../../platform/in-groups.ts';
import { MAX_PAGE } from '../../platform/paging.ts';

/** Characters of the ids in one filter: a filter has at most 4,096, and an id may need twice its 200. */
const ID_CHARACTERS = 3500;

/** An id of 200 characters, each of which is escaped. */
const MAX_ID_CHARACTERS = 450;

/** Questions that are asked at once. */
const ASKED_AT_ONCE = 20;

/**
 * What is found of the entities with these ids, as many questions as their filters need.
 * @param list asks for a page of those of one filter: it has room for fewer ids than a page has entities
 * @param condition a further one, in CEL
 */
export async function foundByIds<Item>(
  ids: readonly string[],
  list: (wanted: {
    readonly filter: string;
    readonly limit: number;
  }) => Promise<{ readonly items: readonly Item[] }>,
  condition: string | null = null,
): Promise<readonly Item[]> {
  const limit = Math.min(ids.length, MAX_PAGE);
  const pages = await inGroups(inFilters(ids, condition?.length), ASKED_AT_ONCE, (group) =>
    list({ filter: condition === null ? `id in [${group}]` : `id in [${group}] && (${condition})`, limit }),
  );
  return pages.flatMap(({ items }) => items);
}

/**
 * The ids as JSON, in groups that fit into a filter.
 * @param beside characters that the filter has beside them
 */
function inFilters(ids: readonly string[], beside = 0): readonly string[] {
  const room = Math.max(MAX_ID_CHARACTERS, ID_CHARACTERS - beside);
  const groups: string[] = [];
  let group = '';
  for (const id of ids.map((one) => JSON.stringify(one))) {
    if (group !== '' && group.length + id.length > room) {
      groups.push(group);
      group = '';
    }
    group += group === '' ? id : `,${id}`;
  }
  return group === '' ? groups : [...groups, group];
}
