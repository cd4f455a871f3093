// The queries of a consistency scan: runs and productions from their components, existence from metadata, all
// through the router.
import { randomUUID } from 'node:crypto';
import type { PreparedOperation } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import type { Declaration, ExpectedEntity, ScanDeps } from '../sync/scan.ts';
import { isList, isObject } from '../../platform/json-object.ts';

const RUNS = `query DeclaredRuns($status: RunStatus, $cursor: String) { runs(status: $status, limit: 1000, cursor: $cursor) { runs { runId actor produced } nextCursor } }`;
const PRODUCTIONS = `query DeclaredProductions($cursor: String) { productions(status: completed, limit: 1000, cursor: $cursor) { productions { id requestedBy produced } nextCursor } }`;
const PRESENT = `query Present($entities: [ExpectedEntity!]!) { entitiesPresent(entities: $entities) }`;

const expectedOf = (produced: unknown): ExpectedEntity[] =>
  (isList(produced) ? produced.filter(isObject) : []).flatMap((p) => {
    const externalId = p.external_id ?? p.entity_id;
    return typeof p.entity_type === 'string' && typeof externalId === 'string'
      ? [{ entityType: p.entity_type, externalId }]
      : [];
  });

/** @param bind looks a trusted document up; called when the scan runs, after the supergraph exists */
export function syncDeps(bind: (document: string) => { readonly run: PreparedOperation }): ScanDeps {
  const caller = (): Caller => ({
    actor: 'service:gateway',
    roles: ['service'],
    projects: '*',
    requestId: randomUUID(),
  });

  const ask = async (
    document: string,
    field: string,
    variables: Record<string, unknown>,
  ): Promise<unknown> => {
    const { data, texts, errors } = await bind(document).run(variables, caller());
    const error = errors?.[0];
    if (error)
      throw new DomainError('component_unavailable', `a scan could not read ${field}: ${error.message}`);
    const text = texts?.[field];
    return text === undefined ? data?.[field] : JSON.parse(text);
  };

  async function* pages(
    document: string,
    field: string,
    variables: Record<string, unknown>,
    signal: AbortSignal,
  ): AsyncGenerator<Record<string, unknown>> {
    for (let cursor: string | null = null; ;) {
      signal.throwIfAborted();
      const page = (await ask(document, field, { ...variables, cursor })) as Record<string, unknown> & {
        nextCursor: string | null;
      }; // The document selects it.
      yield* page[field] as Record<string, unknown>[];
      cursor = page.nextCursor;
      if (cursor === null) return;
    }
  }

  return {
    async *declared(signal): AsyncGenerator<Declaration> {
      for (const status of ['success', 'partial_success']) {
        for await (const run of pages(RUNS, 'runs', { status }, signal)) {
          const entities = expectedOf(run['produced']);
          if (entities.length > 0)
            yield {
              source: 'workflow',
              sourceId: String(run['runId']),
              actor: String(run['actor']),
              entities,
            };
        }
      }
      for await (const production of pages(PRODUCTIONS, 'productions', {}, signal)) {
        const entities = expectedOf(production['produced']);
        if (entities.length > 0)
          yield {
            source: 'artifact',
            sourceId: String(production['id']),
            actor: String(production['requestedBy']),
            entities,
          };
      }
    },
    async exist(entities) {
      const present: boolean[] = [];
      for (let i = 0; i < entities.length; i += 5000) {
        present.push(
          ...((await ask(PRESENT, 'entitiesPresent', {
            entities: entities.slice(i, i + 5000),
          })) as boolean[]),
        ); // The document selects it.
      }
      return present;
    },
  };
}
