// Converts `datetime` values that were stored before such fields were instants: at start, with an event for
// each entity, concurrently with requests.
import type { Logger } from 'pino';
import type { Author, EntityState, Write, Written } from '../log/write.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import { instantFaults } from '../schema-model/instants.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { keptAsInstants } from './entity-writes.ts';

export interface KeepInstantsDeps {
  readonly catalogue: () => SchemaCatalogue;
  /** Entities of a type after an id, ordered by id; empty after the last. */
  pageOf(
    entityType: string,
    after: string,
  ): Promise<readonly { readonly id: string; readonly data: EntityData }[]>;
  writeAll(
    writes: readonly Write<EntityState | null>[],
  ): Promise<readonly (Written<EntityState | null> | Error)[]>;
  /** Types that have been converted already. */
  done(): Promise<ReadonlySet<string>>;
  markDone(entityType: string): Promise<void>;
}

const AUTHOR: Author = {
  actor: 'service:metadata',
  roles: ['service'],
  projects: '*',
  contextText: '{"reason": "datetime fields are kept in UTC"}',
  bypassValidation: true,
};
/** Maximum number of ids in the log message about entities that could not be converted. */
const NAMED = 20;

/**
 * Converts the types one by one. An entity that cannot be converted (a text that is not an instant, a unique
 * value that another has) stays unchanged and is logged at every start.
 */
export async function keepInstants(
  deps: KeepInstantsDeps,
  log: Logger,
  isOver: () => boolean,
): Promise<void> {
  const { catalogue } = deps;
  const before = await deps.done();
  for (const { name, instants } of catalogue().types()) {
    if (instants.length === 0 || before.has(name)) continue;
    let written = 0;
    const left: { id: string; reason: string }[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      if (isOver()) return;
      const page = await deps.pageOf(name, after);
      after = page.at(-1)?.id;
      const type = catalogue().get(name);
      if (!type) break;
      const faulty = page.flatMap(({ id, data }) => {
        const { otherwise, none } = instantFaults(type, data);
        return otherwise.length + none.length === 0 ? [] : [{ id, data, otherwise, none }];
      });
      const outcomes = await deps.writeAll(
        faulty.map(({ id, data }) => keptAsInstants(id, name, data, AUTHOR)),
      );
      for (const [i, { id, otherwise, none }] of faulty.entries()) {
        const outcome = outcomes[i];
        if (outcome instanceof Error) left.push({ id, reason: outcome.message });
        else if (none.length > 0) left.push({ id, reason: `not a valid instant: ${none.join(', ')}` });
        if (!(outcome instanceof Error) && otherwise.length > 0) written++;
      }
    }
    if (written > 0)
      log.info(
        { entityType: name, written },
        'datetime fields of stored entities are now stored as instants in UTC',
      );
    if (left.length === 0) await deps.markDone(name);
    else
      log.warn(
        { entityType: name, left: left.length, such: left.slice(0, NAMED) },
        'datetime fields of these entities could not be converted to instants: correct them',
      );
  }
}
