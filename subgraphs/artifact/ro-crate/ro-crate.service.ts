// Collects how an entity was made, for its Workflow Run Crate.
import type { Caller } from '../../../platform/identity.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import { findKeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { type FileOfEntity, listFilesOfEntities } from '../files/files.store.ts';
import { NamedFiles } from '../files/named-files.ts';
import { storedFileAddress, storedHashIn } from '../../../platform/stored-file-address.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import type { GivenFile } from '../production-worker/source-files.ts';
import type { ProductionService } from '../productions/productions.service.ts';
import type { Production } from '../productions/production.ts';
import type { RuleService } from '../rules/rules.service.ts';
import { findEntityFiles } from '../storage/stored-objects.store.ts';
import type { CrateFile } from './file-nodes.ts';
import { parameterFiles } from './parameter-nodes.ts';
import type { CrateSettings } from './people-nodes.ts';
import { workflowRunCrate } from './workflow-run-crate.ts';
import type { DatedEntity } from './crate-source.ts';

/** Maximum entities in a crate: one production may have made many. */
const MAX_ENTITIES = 1000;
const ENTITY =
  'query ArtifactCrate($id: ID!) { entity(id: $id) { id entityType data version isAvailable createdAt } }';

export interface CrateOptions extends CrateSettings {
  /** The server's public address, without a trailing slash. */
  readonly publicUrl: () => string;
}

export class CrateService {
  readonly #db: Queryable;
  readonly #ask: AskPlatform;
  readonly #caller: Caller;
  readonly #productions: ProductionService;
  readonly #rules: RuleService;
  readonly #settings: CrateOptions;

  constructor(
    db: Queryable,
    ask: AskPlatform,
    caller: Caller,
    productions: ProductionService,
    rules: RuleService,
    settings: CrateOptions,
  ) {
    this.#settings = settings;
    this.#db = db;
    this.#ask = ask;
    this.#caller = caller;
    this.#productions = productions;
    this.#rules = rules;
  }

  /**
   * How the entity was made, as a Workflow Run Crate; null for an invisible entity, or one that no production
   * has made.
   */
  async ofEntity(entityId: string): Promise<Readonly<Record<string, unknown>> | null> {
    if (!hasNoNul(entityId) || (await this.#entity(entityId)) === null) return null;
    const production = await this.#productions.ofEntity(entityId);
    const rule = production?.rule == null ? null : await this.#rules.version(production.rule);
    const kept = rule && (await findKeptWorkflow(this.#db, rule.workflowHash));
    if (!production || !rule || !kept) return null;
    const ids = production.entityIds.slice(0, MAX_ENTITIES);
    const found = (await Promise.all(ids.map((id) => this.#entity(id)))).filter((entity) => entity !== null);
    const files = await this.#files(found);
    const crate = workflowRunCrate({
      production,
      rule,
      settings: this.#settings,
      workflow: kept.workflow,
      workflowUrl: rule.definition.execute.cwl_url ?? null,
      workflowText: kept.documents[0]?.content ?? '',
      entities: found.map((entity) => ({
        entity,
        files: files.filter((file) => file.entityId === entity.id),
      })),
      inputFiles: await this.#inputFiles(production),
    });
    return withAddresses(crate, this.#settings.publicUrl());
  }

  #entity(id: string): Promise<DatedEntity | null> {
    return question<DatedEntity | null>(this.#ask, ENTITY, 'entity', { id }, this.#caller);
  }

  async #files(
    entities: readonly DatedEntity[],
  ): Promise<readonly (CrateFile & { readonly entityId: string })[]> {
    const held = await listFilesOfEntities(
      this.#db,
      entities.map(({ id }) => id),
    );
    const shown = await new NamedFiles(this.#ask, this.#caller).shown(held);
    return shown.flatMap((file) => {
      const data = entities.find(({ id }) => id === file.entityId)?.data ?? {};
      const location = addressIn(data, file, this.#settings.publicUrl());
      const format = file.field === 'uri' && typeof data['format'] === 'string' ? data['format'] : null;
      return location === null ? [] : [{ ...file, location, format }];
    });
  }

  /** The workflow's input files by their addresses: as recorded; for older productions, as far as known. */
  async #inputFiles({ inputs, inputFiles }: Production): Promise<ReadonlyMap<string, CrateFile>> {
    if (inputFiles !== null)
      return new Map(
        (inputFiles as unknown as readonly GivenFile[]).map(({ location, field = '', hash, name, size }) => [
          location,
          { location, field, hash, name, size },
        ]),
      ); // The recorded form.
    const given = parameterFiles(inputs);
    const ids = [...new Set(given.flatMap(({ entityId }) => entityId ?? []))];
    const [stored, named] = await Promise.all([
      listFilesOfEntities(this.#db, ids),
      findEntityFiles(this.#db, ids),
    ]);
    return new Map(
      given.flatMap(({ location, entityId }): [string, CrateFile][] => {
        const own = named.find(
          (file) =>
            file.entityId === entityId &&
            (file.source === location || location.endsWith(file.hash.replace('sha256:', ''))),
        );
        const content = own && stored.find((file) => file.hash === own.hash);
        return own === undefined
          ? []
          : [
              [
                location,
                { location, field: own.field, hash: own.hash, name: own.name, size: content?.size ?? null },
              ],
            ];
      }),
    );
  }
}

/**
 * The address of an entity's file: the field's own value, or a value within it; for secondary files that from
 * which it was fetched, or the store's.
 */
function addressIn(
  data: Readonly<Record<string, unknown>>,
  { field, hash, source }: Pick<FileOfEntity, 'field' | 'hash' | 'source'>,
  publicUrl: string,
): string | null {
  const value = data[/^[^/[.]*/.exec(field)?.[0] ?? field];
  const texts = textsIn(value);
  const hex = hash.replace('sha256:', '');
  const own = field.includes('/')
    ? undefined
    : (texts.find((text) => text.includes(hex)) ?? (texts.length === 1 ? texts[0] : undefined));
  const isBeside = texts.some((text) => storedHashIn(text) !== null);
  return own ?? source ?? (isBeside ? storedFileAddress(publicUrl, hash) : null);
}

/** Stored files by their addresses of today, whatever they were when the run was recorded. */
function withAddresses<Value>(value: Value, publicUrl: string): Value {
  const walked = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const hash = storedHashIn(one);
      return hash === null ? one : storedFileAddress(publicUrl, hash);
    }
    if (Array.isArray(one)) return one.map(walked);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, walked(member)]));
  };
  return walked(value) as Value; // only texts in it are replaced
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The slice of the resolvers' context. */
export interface CrateSlice {
  readonly crates: CrateService;
}
