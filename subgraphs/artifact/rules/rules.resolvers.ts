// Resolvers of rules, with the conversion of a definition's field names to those of the SDL.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { outputsOf } from './rule-definition.ts';
import { ruleReference } from './rule-reference.ts';
import type { RuleSlice } from './rules.service.ts';

export type RuleContext = OperationContext & RuleSlice;

export const ruleResolvers = {
  Query: {
    rule: (_, { name, asOf }, { rules }) => rules.get(name, asOf ?? null),
    rules: (_, { status, name, scope, project, limit, offset, cursor, asOf }, { rules }) =>
      rules.page({
        status: status ?? null,
        name: name ?? null,
        scope: scope ?? null,
        project: project ?? null,
        limit,
        offset,
        cursor: cursor ?? null,
        asOf: asOf ?? null,
      }),
  },
  RulePage: {
    total: (page, _, { rules }) => rules.total(page),
  },
  ProductionRule: {
    rule: ({ name, version }) => ruleReference(name, version),
    produces: ({ definition }) => outputsOf(definition),
    requires: ({ definition }) => definition.requires ?? [],
    execute: ({ definition }) => definition.execute,
    reuse: ({ definition }) => definition.reuse ?? 'any',
    previousVersionId: ({ name, previousVersion }) =>
      previousVersion === null ? null : ruleReference(name, previousVersion),
  },
  RuleOutput: {
    entityType: (output) => output.entity_type,
    fromOutput: (output) => output.from_output ?? null,
    arrayMode: (output) => output.array_mode ?? null,
  },
  RuleExecution: {
    cwlUrl: (execution) => execution.cwl_url ?? null,
    cwlContent: (execution) => execution.cwl_content ?? null,
    cwlHash: (execution) => execution.cwl_hash ?? null,
  },
} satisfies Resolvers<RuleContext>;
