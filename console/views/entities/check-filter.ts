// What the server says of an expression while it is typed.
import { operation } from '../../api/operation.ts';
import type { CheckFilterQuery, CheckFilterQueryVariables } from '../../generated/api.ts';

export const CHECK_FILTER = operation<CheckFilterQuery, CheckFilterQueryVariables>(/* GraphQL */ `
  query CheckFilter($type: String!, $filter: String!) {
    explainFilter(entityType: $type, filter: $filter) {
      left
      reasons
    }
  }
`);
