// Registering and reading schemas: every change is a revision of the deployment, with its MigrationApplied
// event in the same transaction.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { type DomainError, invalid } from '../../../platform/errors.ts';
import type { Author } from '../log/write.ts';
import type { Moment } from '../reading/timeline.ts';
import { referenceFields } from '../reference-checks/reference-fault.ts';
import { checkStored, type StoredFault, type StateRule, type StoredChange } from './check-stored.ts';
import type { SchemaVersion } from './schema-versions.store.ts';
import {
  checkRuleKeys,
  compareVersions,
  readDefinition,
  type SchemaDefinition,
} from '../schema-model/definition.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import { evolutionOf } from './evolution.ts';
import { type FieldIndex, markedFields } from '../schema-model/marked-fields.ts';
import { projectFieldFault } from '../schema-model/project-field.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { isVisible } from '../reading/visibility.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type { Migration } from './migration.ts';

export interface NamedSchema {
  readonly name: string;
  /** Null for the current one. */
  readonly version: string | null;
}

export interface SchemaDeps {
  readonly registry: SchemaRegistry;
  /** @param indexes whether the work may create or drop indexes: then it has the exclusive lock for it */
  migrate<T>(work: (migration: Migration) => Promise<T>, indexes: boolean): Promise<T>;
  /** The same in a snapshot: without lock, without effect. */
  rehearse<T>(work: (migration: Migration) => Promise<T>): Promise<T>;
  /** The versions of a schema, the newest first. */
  versions(name: string, at: Moment): Promise<readonly SchemaVersion[]>;
  /** The schemas as they were at a position of the log. */
  catalogueAt(position: string): Promise<SchemaCatalogue>;
  /** Checks a rule's expression. @throws DomainError with line and column */
  checkRule(expression: string): void;
  /**
   * Whether data satisfies a rule; null for a rule that uses `previous`, which no stored data can violate.
   */
  readonly stateRule: StateRule;
}

export class SchemaService {
  readonly #deps: SchemaDeps;
  constructor(deps: SchemaDeps) {
    this.#deps = deps;
  }

  revision(): string {
    return String(this.#deps.registry.current().revision);
  }

  /** All schemas, as they were at a moment. */
  async at(moment: Moment): Promise<SchemaCatalogue> {
    return moment === null ? this.#deps.registry.current() : this.#deps.catalogueAt(moment);
  }

  get(name: string): EntityType | null {
    return this.#deps.registry.current().get(name) ?? null;
  }

  /** The versions that a schema had at a moment, the newest first; null if there was none. */
  async versions(name: string, at: Moment): Promise<readonly SchemaVersion[] | null> {
    if (this.#deps.registry.current().get(name) === undefined) return null; // none goes away
    const versions = await this.#deps.versions(name, at);
    return versions.length === 0 ? null : versions;
  }

  /** The definition of a version, or of the newest at a moment for null; null if there was none. */
  async definitionOf({ name, version }: NamedSchema, at: Moment): Promise<unknown> {
    const versions = await this.versions(name, at);
    return versions?.find((one) => version === null || one.version === version)?.definition ?? null;
  }

  /**
   * Registers a schema or a new version of one (docs/reference/metadata.md#schema-changes). The same version
   * with the same content changes nothing.
   * @throws DomainError `validation_failed` if the definition is faulty, has a lower version, or stored data
   * contradicts it
   */
  async register(sent: Readonly<Record<string, unknown>>, author: Author): Promise<EntityType> {
    const definition = this.#read(sent);
    const catalogue = await this.#deps.migrate(
      async (migration) => {
        const change = await planned(migration, definition, this.#deps.stateRule);
        const { present, next, changes } = change;
        if (next === present) return present;
        await refuseContradiction(contradictions(migration, change, author), author);
        await migration.indexFields(...indexChanges(present, next));
        await migration.apply({
          revision: next.revision,
          definition,
          author,
          fromVersion: String(present.revision),
          changes,
        });
        return next;
      },
      [definition, this.#deps.registry.current().get(definition.name)?.definition].some((one) =>
        one?.fields.some((field) => field.indexed),
      ),
    );
    this.#deps.registry.adopt(catalogue);
    await this.#deps.registry.everywhere(catalogue.revision);
    const type = catalogue.get(definition.name);
    if (!type) throw new Error(`schema ${definition.name} is not in the catalogue that it was registered in`);
    return type;
  }

  /**
   * What registering would do at this moment, as far as the caller sees it: nothing is locked or written
   * (docs/reference/metadata.md#checking-a-schema).
   * @throws DomainError `validation_failed` if the definition is faulty or has a lower version
   */
  async check(sent: Readonly<Record<string, unknown>>, viewer: Viewer): Promise<SchemaCheck> {
    const definition = this.#read(sent);
    return this.#deps.rehearse(async (migration) => {
      const change = await planned(migration, definition, this.#deps.stateRule);
      if (change.next === change.present) return { changes: [], contradictions: [], isComplete: true };
      indexChanges(change.present, change.next);
      const found: StoredFault[] = [];
      let isComplete = true;
      for await (const fault of contradictions(migration, change, viewer)) {
        isComplete = found.length < MAX_CONTRADICTIONS && sees(viewer, fault) && isComplete;
        if (found.length === MAX_CONTRADICTIONS) break;
        if (sees(viewer, fault)) found.push(fault);
      }
      return { changes: change.changes, contradictions: found, isComplete };
    });
  }

  #read(sent: Readonly<Record<string, unknown>>): SchemaDefinition {
    const { version = null } = sent;
    if (version !== null && typeof version !== 'string')
      throw invalid('version must be a string, for example "1.0.0"');
    const definition = readDefinition(sent);
    for (const rule of definition.rules) this.#deps.checkRule(rule.expression);
    return definition;
  }
}

type Viewer = Pick<Author, 'projects'>;
const sees = (viewer: Viewer, { projects }: StoredFault): boolean =>
  projects.every((project) => isVisible(viewer, project));

export interface SchemaCheck {
  /** As MigrationApplied would record them. */
  readonly changes: readonly string[];
  readonly contradictions: readonly StoredFault[];
  /** Whether there are no further contradictions, also of what the caller does not see. */
  readonly isComplete: boolean;
}

/** Contradictions that a check tells. */
const MAX_CONTRADICTIONS = 50;

interface PlannedChange {
  readonly present: SchemaCatalogue;
  /** The same where nothing changes. */
  readonly next: SchemaCatalogue;
  readonly changes: readonly string[];
  /** What stored data is held against; undefined for a new schema. */
  readonly stored: StoredChange | undefined;
}

/** @throws DomainError `validation_failed` if the definition itself cannot be registered */
async function planned(
  migration: Migration,
  definition: SchemaDefinition,
  stateRule: StateRule,
): Promise<PlannedChange> {
  const present = await migration.catalogue();
  const before = present.get(definition.name);
  if (before && isSame(before.definition, definition))
    return { present, next: present, changes: [], stored: undefined };
  checkRuleKeys(definition);
  const next = present.with(definition);
  const changed = next.get(definition.name);
  const projectFault = changed ? projectFieldFault(changed) : null;
  if (projectFault !== null) throw invalid(projectFault, { field: 'project', schema: definition.name });
  const { changes, narrows } = evolutionOf(before?.definition, definition);
  const types = changed?.selfAndSubtypes ?? [];
  const stored = before && { before: present, after: next, types, narrows, stateRule };
  return { present, next, changes, stored };
}

/** What stored data holds against a change: its values, then its references. */
async function* contradictions(
  migration: Migration,
  { stored }: PlannedChange,
  viewer: Viewer,
): AsyncGenerator<StoredFault> {
  if (stored === undefined) return;
  yield* checkStored(migration, stored);
  yield* referenceContradictions(migration, stored, viewer);
}

/** @throws DomainError `validation_failed` with the first that is seen, or that there are any */
async function refuseContradiction(faults: AsyncIterable<StoredFault>, viewer: Viewer): Promise<void> {
  let isHidden = false;
  for await (const fault of faults) {
    if (sees(viewer, fault)) throw refusal(fault);
    isHidden = true;
  }
  if (isHidden) throw invalid('stored entities of other projects contradict the change');
}

function refusal({ message, entityId, field, ruleId, sharedWith }: StoredFault): DomainError {
  return sharedWith !== undefined
    ? invalid(message, { field })
    : invalid(`stored entity ${entityId} contradicts the change: ${message}`, {
        entity_id: entityId,
        ...(field === null ? {} : { field }),
        ...(ruleId === null ? {} : { rule_id: ruleId }),
      });
}

/** Of each entity the first reference without a target, of fields that newly require it to exist. */
async function* referenceContradictions(
  migration: Migration,
  { before, after, types }: StoredChange,
  { projects }: Viewer,
): AsyncGenerator<StoredFault> {
  const asking = referenceFields(
    after,
    types,
    ({ name, mustExist }, type) => mustExist && before.get(type)?.fields.get(name)?.mustExist !== true,
  );
  if (asking.length === 0) return;
  let told: string | undefined;
  for await (const page of migration.referenceFaults(asking))
    for (const { entityId, field, targetId, actualEntityType, project } of page) {
      if (entityId === told) continue;
      told = entityId;
      const is = actualEntityType === null ? 'does not exist' : `is a ${actualEntityType}`;
      yield {
        // what the target is may be of another project
        message: `field ${field} refers to ${targetId}, which ${projects === '*' ? is : 'is no entity of its type'}`,
        entityId,
        field,
        ruleId: null,
        projects: [project],
      };
    }
}

/** Maximum number of indexed fields, because every write of a type maintains its indexes. */
const MAX_INDEXES = 64;

/** @throws DomainError `validation_failed` if there would be too many */
function indexChanges(
  before: SchemaCatalogue,
  after: SchemaCatalogue,
): [wanted: FieldIndex[], unwanted: FieldIndex[]] {
  const [had, has] = [markedFields(before), markedFields(after)];
  if (has.size > MAX_INDEXES && has.size > had.size)
    throw invalid(`at most ${MAX_INDEXES} field names can be indexed in a deployment`);
  return [
    [...has].filter(([key]) => !had.has(key)).map(([, index]) => index),
    [...had].filter(([key]) => !has.has(key)).map(([, index]) => index),
  ];
}

function isSame(before: SchemaDefinition, after: SchemaDefinition): boolean {
  const order = compareVersions(after.version, before.version);
  if (order < 0)
    throw invalid(`schema ${after.name} is already at version ${before.version}; ${after.version} is lower`);
  if (order > 0) return false;
  // `1.2` is the version `1.2.0`: its spelling is no content
  if (canonicalJson(before.sent) === canonicalJson({ ...after.sent, version: before.sent['version'] }))
    return true;
  throw invalid(
    `schema ${after.name} ${after.version} already exists with different content; a change requires a higher version`,
  );
}

/** The slice of the resolvers' context. */
export interface SchemaSlice {
  readonly schemas: SchemaService;
}
