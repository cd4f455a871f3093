// Reads the lineage step by step, at the chosen time and, to compare, at another.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { EMPTY, extended, type Graph, MOST, opened } from './graph.ts';
import { comparedNeighbours, moreOf, neighboursOf, type Rest, type Types } from './neighbours.ts';

interface Opened {
  readonly graph: Graph;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  readonly open: (id: string) => void;
  /** Reads the entities that refer by a field, as far as a picture holds them. */
  readonly more: (rest: Rest) => void;
}

/** Entities of a request for more. */
const PAGE = 1000;

export function useGraph(id: string, types: Types): Opened {
  const { at, params } = useAddress();
  const other = params.get('compare') ?? undefined;
  const [graph, setGraph] = useState(EMPTY);
  const [error, setError] = useState<ApiError>();
  const [underWay, setUnderWay] = useState(0);
  // what was asked for another picture is not for this one
  const round = useRef({});
  const during = useCallback((work: (change: (to: (before: Graph) => Graph) => void) => Promise<void>) => {
    const asked = round.current;
    setUnderWay((count) => count + 1);
    setError(undefined);
    work((to) => {
      if (round.current === asked) setGraph(to);
    })
      .catch((thrown: unknown) => {
        if (round.current === asked) setError(asApiError(thrown));
      })
      .finally(() => {
        setUnderWay((count) => count - 1);
      });
  }, []);
  const open = useCallback(
    (one: string) => {
      during(async (change) => {
        const neighbours =
          other === undefined
            ? await neighboursOf(one, at, types)
            : await comparedNeighbours(one, at, other, types);
        change((before) => opened(before, one, neighbours));
      });
    },
    [at, other, types, during],
  );
  const size = graph.nodes.size;
  const more = useCallback(
    (asked: Rest) => {
      during(async (change) => {
        const found: Parameters<typeof extended>[2][number][] = [];
        let rest: Rest | undefined = asked;
        // drawn once: each page would move what is there
        while (rest !== undefined && size + found.length + PAGE <= MOST + PAGE) {
          const page = await moreOf(rest, at);
          found.push(...page.found);
          ({ rest } = page);
        }
        change((before) => extended(before, asked, found, rest));
      });
    },
    [at, size, during],
  );
  useEffect(() => {
    round.current = {};
    setGraph(EMPTY);
    open(id);
  }, [id, open]);
  return { graph, error, isLoading: underWay > 0, open, more };
}
