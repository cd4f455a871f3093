// Unpacks the rules' arguments, makes one call each, and turns a definition's spelling into the schema's.
import type { PageBounds } from '../../../platform/paging.ts';
import type { ArtifactContext } from '../context.ts';
import { outputsOf, type RuleDefinition, type RuleOutput } from './rule-definition.ts';
import { ruleReference } from './rule-reference.ts';
import type { RulePage } from './rules.service.ts';
import type { Rule, RuleStatus } from './rules.store.ts';

interface RulesArguments extends PageBounds {
  readonly status?: RuleStatus | null;
  readonly name?: string | null;
  readonly scope?: string | null;
  readonly cursor?: string | null;
}
type Execution = RuleDefinition['execute'];

export const ruleResolvers = {
  Query: {
    rule: (_: unknown, { name }: { name: string }, { rules }: ArtifactContext) => rules.get(name),
    rules: (
      _: unknown,
      { status, name, scope, limit, offset, cursor }: RulesArguments,
      { rules }: ArtifactContext,
    ) =>
      rules.page({
        status: status ?? null,
        name: name ?? null,
        scope: scope ?? null,
        limit,
        offset,
        cursor: cursor ?? null,
      }),
  },
  RulePage: {
    total: (page: RulePage, _: unknown, { rules }: ArtifactContext) => rules.total(page),
  },
  ProductionRule: {
    rule: ({ name, version }: Rule) => ruleReference(name, version),
    produces: ({ definition }: Rule) => outputsOf(definition),
    requires: ({ definition }: Rule) => definition.requires ?? [],
    execute: ({ definition }: Rule) => definition.execute,
    reuse: ({ definition }: Rule) => definition.reuse ?? 'any',
    previousVersionId: ({ name, previousVersion }: Rule) =>
      previousVersion === null ? null : ruleReference(name, previousVersion),
  },
  RuleOutput: {
    entityType: (output: RuleOutput) => output.entity_type,
    fromOutput: (output: RuleOutput) => output.from_output,
    arrayMode: (output: RuleOutput) => output.array_mode,
  },
  RuleExecution: {
    cwlUrl: (execution: Execution) => execution.cwl_url,
    cwlContent: (execution: Execution) => execution.cwl_content,
    cwlHash: (execution: Execution) => execution.cwl_hash,
  },
};
