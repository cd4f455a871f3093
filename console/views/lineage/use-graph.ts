// Reads the lineage step by step, at the chosen time and, to compare, at another. The steps are in the address.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { EMPTY, extended, type Graph, MOST, opened } from './graph.ts';
import { type Asked, comparedNeighbours, moreOf, neighboursOf, type Rest, type Types } from './neighbours.ts';

interface Opened {
  readonly graph: Graph;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  /** Reads all of it anew. */
  readonly reload: () => void;
  readonly open: (id: string) => void;
  /** Reads the entities that refer by a field, as far as a picture holds them. */
  readonly more: (rest: Rest) => void;
}

/** Of `works` in the address: productions and runs are arrows, and no boxes. */
export const ARROWS = 'arrows';

/** A step in the address: an entity whose far side is shown, or a field by which all that refer are. */
const ID = 'id:';
const ALL = 'all:';
const allOf = ({ of, type, field }: Rest): string => ALL + JSON.stringify([of, type, field]);

async function allReferring(graph: Graph, of: Rest, asked: Pick<Asked, 'at' | 'signal'>): Promise<Graph> {
  const found: Parameters<typeof extended>[2][number][] = [];
  let rest: Rest | undefined = of;
  // drawn once: each page would move what is there
  while (rest !== undefined && graph.nodes.size + found.length < MOST) {
    const page = await moreOf(rest, asked);
    found.push(...page.found);
    ({ rest } = page);
  }
  return extended(graph, of, found, rest);
}

/** The graph after one step more; one that an address names in vain changes nothing. @throws ApiError */
async function taken(before: Graph, step: string, asked: Asked, other: string | undefined): Promise<Graph> {
  if (!step.startsWith(ID)) {
    const rest = before.rests.find((one) => allOf(one) === step);
    return rest === undefined ? before : allReferring(before, rest, asked);
  }
  const id = step.slice(ID.length);
  if (before !== EMPTY && !before.nodes.has(id)) return before;
  const neighbours =
    other === undefined ? await neighboursOf(id, asked) : await comparedNeighbours(id, asked, other);
  return opened(before, id, neighbours);
}

/** What has been read, or is being read, of one picture: a step needs what those before it have found. */
interface Reading {
  readonly key: string;
  readonly steps: readonly string[];
  readonly end: Promise<Graph>;
}

export function useGraph(id: string, types: Types): Opened {
  const { at, params, set } = useAddress();
  const other = params.get('compare') ?? undefined;
  const isShort = params.get('works') === ARROWS;
  const [read, setRead] = useState({ key: '', graph: EMPTY });
  const [error, setError] = useState<ApiError>();
  const [underWay, setUnderWay] = useState(0);
  const reading = useRef<Reading>({ key: '', steps: [], end: Promise.resolve(EMPTY) });
  const round = useRef(new AbortController());
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify([id, at, other, isShort, attempt]);
  const inAddress = JSON.stringify(params.getAll('step'));
  useEffect(() => {
    const steps = [ID + id, ...(JSON.parse(inAddress) as string[])]; // written above
    const { current: before } = reading;
    const goesOn = before.key === key && before.steps.every((step, i) => steps[i] === step);
    if (!goesOn) {
      round.current.abort();
      round.current = new AbortController();
    }
    setError(undefined);
    // what was asked for another picture is not for this one
    const { signal } = round.current;
    const isMine = (): boolean => !signal.aborted;
    const take = async (found: Graph, step: string): Promise<Graph> => {
      if (!isMine()) return found;
      setUnderWay((count) => count + 1);
      try {
        const next = await taken(found, step, { at, types, isShort, signal }, other);
        if (isMine()) setRead({ key, graph: next });
        return next;
      } catch (thrown) {
        if (isMine()) setError(asApiError(thrown));
        return found;
      } finally {
        setUnderWay((count) => count - 1);
      }
    };
    let { end } = goesOn ? before : { end: Promise.resolve(EMPTY) };
    for (const step of steps.slice(goesOn ? before.steps.length : 0))
      end = end.then((found) => take(found, step));
    reading.current = { key, steps, end };
  }, [id, key, inAddress, at, other, types, isShort]);
  useEffect(
    () => () => {
      round.current.abort();
    },
    [],
  );
  const go = useCallback(
    (step: string) => {
      const before = JSON.parse(inAddress) as string[]; // written above
      if (!before.includes(step)) set({ step: [...before, step] });
    },
    [inAddress, set],
  );
  const isOfThis = read.key === key;
  return {
    // not for a moment that of another time
    graph: isOfThis ? read.graph : EMPTY,
    error,
    isLoading: underWay > 0 || (!isOfThis && error === undefined),
    reload: () => {
      setAttempt(attempt + 1);
    },
    open: (one) => {
      go(ID + one);
    },
    more: (rest) => {
      go(allOf(rest));
    },
  };
}
