// Registering and reading schemas: every change is a revision of the deployment, with its MigrationApplied
// event in the same transaction.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Author } from '../log/write.ts';
import { referenceFields } from '../reference-checks/reference-fault.ts';
import { checkStored, type StateRule } from './check-stored.ts';
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
import type { SchemaRegistry } from './schema-registry.ts';
import type { Migration } from './migration.ts';

export interface SchemaDeps {
  readonly registry: SchemaRegistry;
  /** @param indexes whether the work may create or drop indexes: then it has the exclusive lock for it */
  migrate<T>(work: (migration: Migration) => Promise<T>, indexes: boolean): Promise<T>;
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

  list(): readonly EntityType[] {
    return [...this.#deps.registry.current().types()];
  }

  get(name: string): EntityType | null {
    return this.#deps.registry.current().get(name) ?? null;
  }

  /** A suggestion for an unknown type. */
  nearest(name: string): string | undefined {
    return this.#deps.registry.current().suggestions.for(name);
  }

  /**
   * Registers a schema or a new version of one (docs/reference/metadata.md#schema-changes). The same version
   * with the same content changes nothing.
   * @throws DomainError `validation_failed` if the definition is faulty, has a lower version, or stored data
   * contradicts it
   */
  async register(sent: Readonly<Record<string, unknown>>, author: Author): Promise<EntityType> {
    const { version = null } = sent;
    if (version !== null && typeof version !== 'string')
      throw invalid('version must be a string, for example "1.0.0"');
    const definition = readDefinition(sent);
    for (const rule of definition.rules) this.#deps.checkRule(rule.expression);
    const catalogue = await this.#deps.migrate(
      async (migration) => {
        const present = await migration.catalogue();
        const before = present.get(definition.name);
        if (before && isSame(before.definition, definition)) return present;
        checkRuleKeys(definition);
        const next = present.with(definition);
        const changed = next.get(definition.name);
        const projectFault = changed ? projectFieldFault(changed) : null;
        if (projectFault !== null) throw invalid(projectFault, { field: 'project', schema: definition.name });
        const { changes, narrows } = evolutionOf(before?.definition, definition);
        const types = changed?.selfAndSubtypes ?? [];
        if (before)
          await checkStored(migration, {
            before: present,
            after: next,
            types,
            narrows,
            stateRule: this.#deps.stateRule,
          });
        if (before) await assertReferences(migration, present, next, types);
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
    const type = catalogue.get(definition.name);
    if (!type) throw new Error(`schema ${definition.name} is not in the catalogue that it was registered in`);
    return type;
  }
}

/**
 * Fields that newly require their targets to exist.
 * @throws DomainError `validation_failed` if a stored reference has no target of its type
 */
async function assertReferences(
  migration: Migration,
  before: SchemaCatalogue,
  after: SchemaCatalogue,
  types: readonly string[],
): Promise<void> {
  const asking = referenceFields(
    after,
    types,
    ({ name, mustExist }, type) => mustExist && before.get(type)?.fields.get(name)?.mustExist !== true,
  );
  const fault = asking.length === 0 ? undefined : await migration.referenceFault(asking);
  if (fault)
    throw invalid(
      `stored entity ${fault.entityId} contradicts the change: field ${fault.field} refers to ${fault.targetId}, which ${fault.actualEntityType === null ? 'does not exist' : `is a ${fault.actualEntityType}`}`,
      { entity_id: fault.entityId, field: fault.field },
    );
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
  if (canonicalJson(before.sent) === canonicalJson(after.sent)) return true;
  throw invalid(
    `schema ${after.name} ${after.version} already exists with different content; a change requires a higher version`,
  );
}

/** The slice of the resolvers' context. */
export interface SchemaSlice {
  readonly schemas: SchemaService;
}
