// Resolvers of rules, with the conversion of a definition's field names to those of the SDL.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { isOptional, showCwlType } from '../cwl/cwl-type.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { outputsOf } from './rule-definition.ts';
import { ruleReference } from './rule-reference.ts';
import type { RuleSlice } from './rules.service.ts';

export type RuleContext = OperationContext & RuleSlice;

export const ruleResolvers = {
  Query: {
    rule: (_, { name }, { rules }) => rules.get(name),
    rules: (_, { status, name, scope, limit, offset, cursor }, { rules }) =>
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
    total: (page, _, { rules }) => rules.total(page),
  },
  ProductionRule: {
    rule: ({ name, version }) => ruleReference(name, version),
    produces: ({ definition }) => outputsOf(definition),
    requires: ({ definition }) => definition.requires ?? [],
    execute: ({ definition }) => definition.execute,
    workflow: ({ workflowHash }, _, { rules }) => rules.workflow(workflowHash),
    reuse: ({ definition }) => definition.reuse ?? 'any',
    previousVersionId: ({ name, previousVersion }) =>
      previousVersion === null ? null : ruleReference(name, previousVersion),
  },
  RuleWorkflow: {
    cwlVersion: ({ version }) => version,
    inputs: ({ inputs }) =>
      inputs.map(({ name, type, optional }) => ({ name, type: showCwlType(type), optional, sources: [] })),
    outputs: ({ outputs, links = [] }) =>
      outputs.map(({ name, type }) => ({
        name,
        type: showCwlType(type),
        optional: isOptional(type),
        sources: links.find((link) => link.name === name)?.sources ?? [],
      })),
    steps: ({ steps = [], parts = [] }) =>
      steps.map(({ name, part, inputs = [], isScattered = false, isConditional = false }) => ({
        name,
        kind: parts[part]?.kind ?? 'Operation',
        label: parts[part]?.label ?? null,
        stepCount: parts[part]?.steps.length ?? 0,
        inputs,
        isScattered,
        isConditional,
      })),
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
