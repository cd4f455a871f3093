// Ids in conditions of CEL.
import { MAX_PAGE } from '../../platform/paging.ts';

/** Characters of the ids in one filter: a filter has at most 4,096, and an id may need twice its 200. */
const ID_CHARACTERS = 3500;

/** An id of 200 characters, each of which is escaped. */
const MAX_ID_CHARACTERS = 450;

/** The limit of a question for the ids of any one group: a filter has room for less than a page. */
export const limitOfGroup = ({ length }: readonly string[]): number => Math.min(length, MAX_PAGE);

/**
 * The ids as JSON, in groups that fit into a filter.
 * @param beside characters that the filter has beside them
 */
export function inFilters(ids: readonly string[], beside = 0): readonly string[] {
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
