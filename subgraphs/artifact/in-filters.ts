// Ids in conditions of CEL.

/** Characters of the ids in one filter: a filter has at most 4,096, and an id may need twice its 200. */
const ID_CHARACTERS = 3500;

/** The ids as JSON, in groups that fit into a filter. */
export function inFilters(ids: readonly string[]): readonly string[] {
  const groups: string[] = [];
  let group = '';
  for (const id of ids.map((one) => JSON.stringify(one))) {
    if (group !== '' && group.length + id.length > ID_CHARACTERS) {
      groups.push(group);
      group = '';
    }
    group += group === '' ? id : `,${id}`;
  }
  return group === '' ? groups : [...groups, group];
}
