// What a listing of entities asks for: read from the address.
import { useMemo } from 'react';
import { type Changes, useAddress } from '../../address/address.tsx';
import { pageIn } from '../../parts/page-steps.tsx';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { type Condition, filterOf, readCondition } from './conditions.ts';

export interface Listing {
  readonly type: TypeInfo;
  readonly words: string;
  readonly conditions: readonly Condition[];
  readonly own: string;
  readonly filter: string | undefined;
  readonly orderBy: string | undefined;
  /** The stretch of the listing that is scrolled through, from 1. */
  readonly page: number;
  /** The row of it that is first in sight, from 0. */
  readonly row: number;
  readonly showsGone: boolean;
  readonly columns: readonly string[];
  /** Changes the listing, which begins at its first row again. */
  readonly change: (changes: Changes) => void;
}

/** Fields that are shown at first. */
const SHOWN_AT_FIRST = 6;

export function useListing(type: TypeInfo): Listing {
  const { params, project, set } = useAddress();
  const key = params.toString();
  return useMemo(() => {
    const conditions = params.getAll('f').flatMap((text) => readCondition(text) ?? []);
    const own = params.get('filter') ?? '';
    const cols = params.get('cols');
    const fields = type.allFields.map(({ name }) => name);
    return {
      type,
      words: (params.get('q') ?? '').trim(),
      conditions,
      own,
      filter: filterOf(conditions, own, type.allFields, project),
      orderBy: params.get('sort') ?? undefined,
      page: pageIn(params),
      row: Math.max(0, Math.trunc(Number(params.get('row') ?? 0)) || 0),
      showsGone: params.get('gone') === '1',
      columns:
        cols === null
          ? fields.slice(0, SHOWN_AT_FIRST)
          : fields.filter((name) => cols.split(',').includes(name)),
      change: (changes) => {
        set({ page: undefined, row: undefined, cursor: undefined, ...changes });
      },
    };
    // the key stands for the parameters
  }, [key, type, set]);
}
