// What is stored of the entities that rows would change, read as the rows come into sight.
import { useEffect, useState } from 'react';
import { type Data, isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { StoredOfSheetQuery, StoredOfSheetQueryVariables } from '../../generated/api.ts';

const STORED = operation<StoredOfSheetQuery, StoredOfSheetQueryVariables>(/* GraphQL */ `
  query StoredOfSheet($type: String!, $filter: String!) {
    entities(entityType: $type, filter: $filter, limit: 200, count: NONE) {
      items {
        id
        data
      }
    }
  }
`);

/** @param ids those that are wanted now, at most 200 */
export function useStored(type: string, ids: readonly string[]): ReadonlyMap<string, Data> {
  const [known, setKnown] = useState<ReadonlyMap<string, Data>>(new Map());
  const wanted = ids.filter((id) => !known.has(id));
  const filter = `id in ${JSON.stringify(wanted)}`;
  const { data } = useQuery(STORED, { type, filter }, { skip: wanted.length === 0 });
  useEffect(() => {
    if (data === undefined) return;
    setKnown(
      (before) =>
        new Map([
          ...before,
          ...data.entities.items.map((item) => [item.id, isData(item.data) ? item.data : {}] as const),
        ]),
    );
  }, [data]);
  return known;
}
