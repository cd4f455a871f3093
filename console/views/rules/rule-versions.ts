// All versions of a rule with their workflows.
import { operation } from '../../api/operation.ts';
import type { RuleVersionsQuery, RuleVersionsQueryVariables } from '../../generated/api.ts';
import { WORKFLOW_PARTS } from './workflow-parts.ts';

export const RULE_VERSIONS = operation<RuleVersionsQuery, RuleVersionsQueryVariables>(
  /* GraphQL */ `
    query RuleVersions($name: String!) {
      rules(name: $name, limit: 200) {
        rules {
          rule
          name
          version
          status
          scope
          description
          definition
          cwlHash
          workflowHash
          registeredBy
          registeredAt
          produces {
            entityType
          }
          requires {
            ref
          }
          execute {
            cwlUrl
            cwlContent
          }
          workflow {
            ...WorkflowParts
          }
        }
      }
    }
  `,
  WORKFLOW_PARTS,
);

export type RuleVersion = RuleVersionsQuery['rules']['rules'][number];
