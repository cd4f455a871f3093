// Chooses SDLs that compose: fresh ones where possible, the last valid ones where a component is unavailable
// or its SDL is invalid.
import type { Logger } from 'pino';
import { compose, type Composition } from './compose.ts';
import type { KeptTexts } from '../../platform/kept-texts.ts';

/** The known SDLs of one component, best first: the fresh one, then the last valid one. */
export interface Candidate {
  readonly name: string;
  readonly sdls: readonly string[];
  /** A component of this process, without which the platform cannot run. */
  readonly required: boolean;
}

export interface ChosenSdls {
  readonly composition: Composition;
  /** Components without a usable SDL: they are left out until they become available. */
  readonly missing: readonly string[];
}

/**
 * All fresh SDLs if they compose; else component by component, each with the best SDL that composes with the
 * others.
 * @throws Error if the required components do not compose
 */
export function chooseSdls(candidates: readonly Candidate[], log: Logger, memory?: KeptTexts): ChosenSdls {
  const known = candidates.filter((c) => c.sdls.length > 0);
  const missing = candidates.filter((c) => c.sdls.length === 0).map((c) => c.name);
  const all = new Map(
    known.flatMap(({ name, sdls: [best] }) => (best === undefined ? [] : [[name, best] as const])),
  );
  try {
    return { composition: compose(all, memory), missing };
  } catch (fault) {
    if (known.every((c) => c.required)) throw fault;
    log.error({ err: fault }, 'the subgraphs do not compose: looking for a subset that does');
  }
  const required = new Map([...all].filter(([name]) => known.some((c) => c.name === name && c.required)));
  return addOneByOne(
    required,
    known.filter((c) => !c.required),
    missing,
    log,
  );
}

function addOneByOne(
  start: Map<string, string>,
  waiting: readonly Candidate[],
  missing: readonly string[],
  log: Logger,
): ChosenSdls {
  let composition = start.size > 0 ? compose(start) : undefined;
  let left = waiting;
  for (let progress = true; progress;) {
    progress = false;
    for (const candidate of left) {
      const better = candidate.sdls
        .map((sdl) =>
          tryCompose(new Map([...(composition?.sdls ?? []), [candidate.name, sdl]]), candidate.name, log),
        )
        .find((c) => c);
      if (!better) continue;
      composition = better;
      left = left.filter((c) => c !== candidate);
      progress = true;
    }
  }
  if (!composition) throw new Error('no subgraph composes');
  return { composition, missing: [...missing, ...left.map((c) => c.name)] };
}

function tryCompose(sdls: ReadonlyMap<string, string>, name: string, log: Logger): Composition | undefined {
  try {
    return compose(sdls);
  } catch (fault) {
    log.error({ err: fault, component: name }, 'this SDL does not compose with the others');
    return undefined;
  }
}
