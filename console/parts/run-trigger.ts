// Begins a run of a trigger: from its view, from the list, and from the palette.
import { operation } from '../api/operation.ts';
import type { RunTriggerMutation, RunTriggerMutationVariables } from '../generated/api.ts';

export const RUN_TRIGGER = operation<RunTriggerMutation, RunTriggerMutationVariables>(/* GraphQL */ `
  mutation RunTrigger($name: ID!) {
    runTrigger(name: $name) {
      runId
    }
  }
`);
