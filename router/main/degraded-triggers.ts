// Reports triggers that cannot work to the health check, wherever the workflow runs.
import { randomUUID } from 'node:crypto';
import type { PreparedOperation } from '../../platform/component.ts';

const PROBLEMS = 'query TriggerProblems { triggers { problem } }';

/**
 * @param ask a trusted document over the whole platform's schema; called for a report, after the supergraph
 * exists
 */
export const degradedTriggers =
  (ask: (document: string) => PreparedOperation) => async (): Promise<string | null> => {
    const { data, texts } = await ask(PROBLEMS)(
      {},
      { actor: 'service:gateway', roles: ['service'], projects: [], requestId: randomUUID() },
    );
    const triggers: unknown =
      texts?.['triggers'] === undefined ? data?.['triggers'] : JSON.parse(texts['triggers']);
    const isDegraded =
      Array.isArray(triggers) &&
      triggers.some((one: { readonly problem?: unknown } | null) => typeof one?.problem === 'string');
    return isDegraded ? 'triggers_degraded' : null;
  };
