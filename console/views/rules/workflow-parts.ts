// What an operation reads of a workflow to draw it.
export const WORKFLOW_PARTS = /* GraphQL */ `
  fragment WorkflowParts on RuleWorkflow {
    kind
    cwlVersion
    inputs {
      name
      type
      optional
    }
    outputs {
      name
      type
      sources
    }
    steps {
      name
      kind
      label
      stepCount
      isScattered
      isConditional
      inputs {
        name
        sources
      }
    }
  }
`;
