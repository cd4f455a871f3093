// Registers, supersedes and deprecates production rules (docs/reference/artifact.md#registration,
// docs/reference/artifact.md#rule-states).
import { causeOf } from '../../../platform/causal-links.ts';
import type { Connections } from '../../../platform/database/transaction.ts';
import { DomainError, invalid, notFound } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { assertAllowed, PERMISSIONS } from '../../../platform/permissions.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { Fetched } from '../cwl-source/fetch-cwl.ts';
import { keepWorkflow } from '../cwl-source/kept-workflow.store.ts';
import {
  type KnownWorkflow,
  readWorkflow,
  type ReadWorkflow,
  type WorkflowResult,
} from '../cwl-source/read-workflow.ts';
import type { AskPlatform } from '../platform-port.ts';
import { outputsOf, type RuleDefinition } from '../rules/rule-definition.ts';
import { readRuleReference, ruleReference } from '../rules/rule-reference.ts';
import type { RuleService } from '../rules/rules.service.ts';
import type { Rule } from '../rules/rules.store.ts';
import { type Allowance, checkDemands } from './check-demands.ts';
import { checkOutputs } from './check-outputs.ts';
import { type EntitySchema, findSchema } from './entity-schema.ts';
import { readDefinition, SCOPE } from './read-definition.ts';
import {
  findActiveVersion,
  findStatic,
  holdingName,
  insertVersion,
  markDeprecated,
  scopesOf,
  supersede,
} from './registration.store.ts';
import { type Violation, violation } from './violation.ts';
import { ownMember } from '../../../platform/json-object.ts';

export interface RegistrationDeps {
  readonly pool: Connections;
  readonly ask: AskPlatform;
  readonly fetch: (url: string) => Promise<Fetched>;
  readonly allowance: Allowance;
}

export interface Registration {
  /** Null for a dry run. */
  readonly rule: Rule | null;
  readonly violations: readonly Violation[];
  /** Null if it is not valid CWL, or was not looked at because the definition is wrong. */
  readonly workflow: KnownWorkflow | null;
}

const taken = (name: string): Violation => violation('name', `the rule name ${name} is used by another user`);
/** A plain name means one rule for everybody: an actor's own rule with that name would hide it. */
const global = (name: string): Violation =>
  violation('name', `a global rule has the name ${name}: choose another name`);
const failed = (violations: readonly Violation[]): DomainError =>
  invalid(
    `the rule is not valid: ${violations[0]?.message ?? ''}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''}`,
    { violations },
  );

/**
 * Whether an actor may write rules of a scope: its own, or global ones by its role
 * (docs/reference/artifact.md#rule-scope, docs/reference/artifact.md#roles).
 * @throws DomainError `insufficient_role`
 */
function assertMayWrite(caller: Caller, scope: string): void {
  if (scope === 'global') return assertAllowed(caller, 'rule:write:global');
  assertAllowed(caller, 'rule:write:own');
  if (scope !== caller.actor) {
    const { operation, minimum } = PERMISSIONS['rule:write:own'];
    throw new DomainError('insufficient_role', `rules of scope ${scope} can only be written by ${scope}`, {
      required_role: minimum,
      operation,
    });
  }
}

/** The scope in the request; one that is not valid, which is a violation, counts as global. */
function scopeSent(sent: unknown): string {
  const scope = ownMember(sent, 'scope');
  return typeof scope === 'string' && SCOPE.test(scope) ? scope : 'global';
}

function mayWrite(caller: Caller, scope: string): boolean {
  try {
    assertMayWrite(caller, scope);
    return true;
  } catch (fault) {
    if (fault instanceof DomainError) return false;
    throw fault;
  }
}

/** Writing rules, for one caller. */
export class RegistrationService {
  readonly #deps: RegistrationDeps;
  readonly #caller: Caller;
  readonly #rules: RuleService;

  constructor(deps: RegistrationDeps, caller: Caller, rules: RuleService) {
    this.#deps = deps;
    this.#caller = caller;
    this.#rules = rules;
  }

  /**
   * Registers a version of a rule: active in place of the current one, or beside it with `replace` false. A
   * dry run returns every violation and registers nothing.
   * @throws DomainError `validation_failed` with `details.violations`, `insufficient_role`,
   * `component_unavailable`
   */
  async register(
    sent: unknown,
    { replace, dryRun }: { readonly replace: boolean; readonly dryRun: boolean },
  ): Promise<Registration> {
    assertMayWrite(this.#caller, scopeSent(sent)); // a caller that may not write it must not learn its faults
    const read = readDefinition(sent);
    if ('violations' in read) {
      if (dryRun) return { rule: null, violations: read.violations, workflow: null };
      throw failed(read.violations);
    }
    const { definition } = read;
    const { violations, workflow } = await this.#check(definition);
    const all = [...violations, ...(await this.#checkName(this.#deps.pool, definition))];
    if (dryRun) return { rule: null, violations: all, workflow: workflow.valid ? workflow.workflow : null };
    if (all.length > 0 || !workflow.valid) throw failed(all);
    const version = await this.#add(definition, workflow, { replace, isStatic: false });
    const rule = await this.#rules.version(ruleReference(definition.name, version));
    return { rule, violations: [], workflow: workflow.workflow };
  }

  /**
   * Registers a rule of a package, unless its newest packaged version is the same and can be run.
   * @throws DomainError as `register`
   */
  async registerStatic(definition: RuleDefinition): Promise<boolean> {
    const known = await findStatic(this.#deps.pool, definition.name);
    if (known && (await known.isSame(definition))) return false;
    const { violations, workflow } = await this.#check(definition);
    if (violations.length > 0 || !workflow.valid) throw failed(violations);
    return (await this.#add(definition, workflow, { replace: true, isStatic: true })) > 0;
  }

  /**
   * Deprecates a version permanently, by `name@n` or, with a plain name, the active one.
   * @throws DomainError `not_found`, `insufficient_role`, `validation_failed`
   */
  async deprecate(reference: string, note: string): Promise<Rule> {
    const rule = await this.#rules.get(reference);
    if (rule === null) throw notFound('rule', reference);
    assertMayWrite(this.#caller, rule.scope);
    if (note.trim() === '' || !hasNoNul(note))
      throw invalid(
        'status must be deprecated, and deprecation_note must give the reason and the replacement: nothing else can be changed',
      );
    // a plain name means the active version: if there is none, it has been deprecated and its note is
    // unchanged
    if (readRuleReference(reference).version === null && rule.status !== 'active') return rule;
    await holdingName(this.#deps.pool, rule.name, (db) => markDeprecated(db, rule.name, rule.version, note));
    return { ...rule, status: 'deprecated', deprecationNote: note };
  }

  /** A name that is used in another scope can only be taken by callers that may write that scope. */
  async #checkName(db: Queryable, { name, scope }: RuleDefinition): Promise<readonly Violation[]> {
    if ((await scopesOf(db, name)).some((known) => !mayWrite(this.#caller, known))) return [taken(name)];
    const active = await findActiveVersion(db, name);
    return active?.scope === 'global' && (scope ?? 'global') !== 'global' ? [global(name)] : [];
  }

  async #check(
    definition: RuleDefinition,
  ): Promise<{ readonly violations: readonly Violation[]; readonly workflow: WorkflowResult }> {
    const items = outputsOf(definition);
    const types = [...new Set(items.map((item) => item.entity_type))];
    const [workflow, ...found] = await Promise.all([
      readWorkflow(definition.execute, this.#deps.fetch),
      ...types.map((type) => findSchema(this.#deps.ask, type, this.#caller)),
    ]);
    const schemas = new Map(
      found.flatMap((schema, i): [string, EntitySchema][] =>
        schema ? [[types[i] ?? schema.name, schema]] : [],
      ),
    );
    const violations = [
      ...(workflow.valid
        ? checkDemands(workflow.workflow.demands, this.#deps.allowance)
        : workflow.faults.map((fault) => violation('cwl', fault))),
      ...checkOutputs(items, workflow.valid ? workflow.workflow.outputs : null, schemas),
    ];
    return { violations, workflow };
  }

  async #add(
    definition: RuleDefinition,
    workflow: ReadWorkflow,
    { replace, isStatic }: { replace: boolean; isStatic: boolean },
  ): Promise<number> {
    const { name, scope = 'global' } = definition;
    return holdingName(this.#deps.pool, name, async (db) => {
      if (isStatic) {
        // another process of the deployment may have registered it first
        const known = await findStatic(db, name);
        if (known && (await known.isSame(definition))) return 0;
      } else {
        const violations = await this.#checkName(db, definition);
        if (violations.length > 0) throw failed(violations);
      }
      await keepWorkflow(db, workflow);
      const active = await findActiveVersion(db, name);
      const version = {
        definition,
        scope: scope ?? 'global',
        cwlHash: workflow.mainHash,
        workflowHash: workflow.hash,
        registeredBy: this.#caller.actor,
        isStatic,
        causedBy: isStatic ? null : causeOf(this.#caller),
      };
      if (active === null) return insertVersion(db, version, 'active', null);
      if (!replace) return insertVersion(db, version, 'superseded', null);
      await supersede(db, name, active.version);
      return insertVersion(db, version, 'active', active.version);
    });
  }
}

/** The slice of the resolvers' context. */
export interface RegistrationSlice {
  readonly registration: RegistrationService;
}
