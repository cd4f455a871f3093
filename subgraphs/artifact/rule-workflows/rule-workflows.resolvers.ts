// Resolvers of what the workflow of a rule consists of.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { isOptional, showCwlType } from '../cwl/cwl-type.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { RuleWorkflowSlice } from './rule-workflows.service.ts';

export type RuleWorkflowContext = OperationContext & RuleWorkflowSlice;

export const ruleWorkflowResolvers = {
  ProductionRule: {
    workflow: ({ workflowHash }, _, { ruleWorkflows }) => ruleWorkflows.of(workflowHash),
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
} satisfies Resolvers<RuleWorkflowContext>;
