// Gathers what is known of how an entity was made, for its Workflow Run Crate.
import type { Caller } from '../../../platform/identity.ts';
import { isStorable, type Queryable } from '../../../platform/queryable.ts';
import { findKeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { isFileValue } from '../cwl/file-value.ts';
import { listFilesOfEntities } from '../files/files.store.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import type { Production } from '../productions/productions.store.ts';
import type { ProductionService } from '../productions/productions.service.ts';
import type { RuleService } from '../rules/rules.service.ts';
import { findEntityFiles } from '../storage/stored-objects.store.ts';
import { type CrateFile, type DatedEntity, workflowRunCrate } from './workflow-run-crate.ts';

/** Most entities that a crate tells of: one production may have made many. */
const MOST_ENTITIES = 1000;
const ENTITY = 'query ArtifactCrate($id: ID!) { entity(id: $id) { id entityType data version isAvailable createdAt } }';

export class CrateService {
  readonly #db: Queryable;
  readonly #ask: AskPlatform;
  readonly #caller: Caller;
  readonly #productions: ProductionService;
  readonly #rules: RuleService;

  constructor(db: Queryable, ask: AskPlatform, caller: Caller, productions: ProductionService, rules: RuleService) {
    this.#db = db;
    this.#ask = ask;
    this.#caller = caller;
    this.#productions = productions;
    this.#rules = rules;
  }

  /** How the entity was made, as a Workflow Run Crate; null for one that the caller may not see, or that nothing here has made. */
  async ofEntity(entityId: string): Promise<Readonly<Record<string, unknown>> | null> {
    if (!isStorable(entityId) || await this.#entity(entityId) === null) return null;
    const production = await this.#productions.ofEntity(entityId);
    const rule = production?.rule == null ? null : await this.#rules.version(production.rule);
    const kept = rule && await findKeptWorkflow(this.#db, rule.workflowHash);
    if (!production || !rule || !kept) return null;
    const ids = production.entityIds.slice(0, MOST_ENTITIES);
    const found = (await Promise.all(ids.map((id) => this.#entity(id)))).filter((entity) => entity !== null);
    const files = await this.#files(found);
    return workflowRunCrate({
      production, rule, workflow: kept.workflow, workflowUrl: rule.definition.execute.cwl_url ?? null, workflowText: kept.documents[0]?.content ?? '',
      entities: found.map((entity) => ({ entity, files: files.filter((file) => file.entityId === entity.id) })), inputFiles: await this.#inputFiles(production),
    });
  }

  #entity(id: string): Promise<DatedEntity | null> {
    return question<DatedEntity | null>(this.#ask, ENTITY, 'entity', { id }, this.#caller);
  }

  async #files(entities: readonly DatedEntity[]): Promise<readonly (CrateFile & { readonly entityId: string })[]> {
    const ids = entities.map(({ id }) => id);
    const [stored, named] = await Promise.all([listFilesOfEntities(this.#db, ids), findEntityFiles(this.#db, ids)]);
    return stored.flatMap(({ entityId, field, hash, size }) => {
      const location = entities.find(({ id }) => id === entityId)?.data[field];
      const name = named.find((file) => file.entityId === entityId && file.field === field)?.name ?? null;
      return typeof location === 'string' ? [{ entityId, field, location, hash, size, name }] : [];
    });
  }

  /** Files that the workflow was given, by where they are. */
  async #inputFiles({ inputs }: Production): Promise<ReadonlyMap<string, CrateFile>> {
    const given = filesIn(inputs);
    const ids = [...new Set(given.flatMap(({ id }) => (id === null ? [] : [id])))];
    const [stored, named] = await Promise.all([listFilesOfEntities(this.#db, ids), findEntityFiles(this.#db, ids)]);
    return new Map(given.map(({ location, id }): [string, CrateFile] => {
      const file = stored.find((one) => one.entityId === id && one.field === 'uri');
      return [location, { location, field: 'uri', hash: file?.hash ?? null, size: file?.size ?? null, name: named.find((one) => one.entityId === id && one.field === 'uri')?.name ?? null }];
    }));
  }
}

/** Every file in an input object, with the entity whose file it is. */
function filesIn(value: unknown): readonly { readonly location: string; readonly id: string | null }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { location, entity } = value as { location?: unknown; entity?: { id?: unknown } };
  if (isFileValue(value) && typeof location === 'string') return [{ location, id: typeof entity?.id === 'string' ? entity.id : null }];
  return Object.values(value).flatMap(filesIn);
}
