// What would become of a bulk edit: what the server says of each entity, the refused ones first.
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import type { Data } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type {
  CheckBulkEditMutation,
  CheckBulkEditMutationVariables,
  IngestedEntity,
} from '../../generated/api.ts';
import { Fault, Loading } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { plural } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Given, Value } from '../../parts/value.tsx';
import type { Row } from './read-rows.ts';

const CHECK_BULK_EDIT = operation<CheckBulkEditMutation, CheckBulkEditMutationVariables>(/* GraphQL */ `
  mutation CheckBulkEdit($entities: [IngestedEntity!]!) {
    ingestEntities(entities: $entities, dryRun: true) {
      updated
      unchanged
      errors {
        index
        message
      }
    }
  }
`);

/** Entities that the preview lists, those that are refused before the others. */
const LISTED = 200;

export interface Checked {
  /** By id, why an entity would be refused; undefined until the server has said. */
  readonly failures: ReadonlyMap<string, string> | undefined;
  readonly told: string;
  readonly error: ApiError | undefined;
  readonly reload: () => void;
}

/**
 * What the server would make of the change of all entities: a dry run decides as the write does.
 * @param entities undefined as long as nothing is asked
 */
export function useCheck(entities: readonly IngestedEntity[] | undefined): Checked {
  const skip = entities === undefined;
  const { data, error, isLoading, reload } = useQuery(
    CHECK_BULK_EDIT,
    { entities: entities ?? [] },
    { skip },
  );
  if (data === undefined || isLoading || skip || error)
    return { failures: undefined, told: '', error, reload };
  const { updated, unchanged, errors } = data.ingestEntities;
  return {
    failures: new Map(errors.map(({ index, message }) => [entities[index]?.id ?? String(index), message])),
    told: `${updated} would change, ${unchanged} have this value already, ${errors.length} would be refused.`,
    error,
    reload,
  };
}

const valueIn = ({ data }: Row, name: string): unknown => (data as Data)[name]; // an entity's data are an object

function Preview({
  rows,
  field,
  value,
  failures,
}: {
  readonly rows: readonly Row[];
  readonly field: TypeInfo['allFields'][number];
  readonly value: unknown;
  readonly failures: ReadonlyMap<string, string>;
}): ReactNode {
  const listed = [
    ...rows.filter(({ id }) => failures.has(id)),
    ...rows.filter(({ id }) => !failures.has(id)),
  ].slice(0, LISTED);
  return (
    <>
      <Table
        label="What would change"
        rows={listed}
        keyOf={({ id }) => id}
        columns={[
          { key: 'id', title: 'id', cell: ({ id }) => <Given text={id} /> },
          {
            key: 'before',
            title: 'before',
            cell: (row) => <Value value={valueIn(row, field.name)} field={field} most={160} />,
          },
          { key: 'after', title: 'after', cell: () => <Value value={value} field={field} most={160} /> },
          {
            key: 'fault',
            title: 'check',
            cell: ({ id }) => <span className="fault">{failures.get(id) ?? ''}</span>,
          },
        ]}
      />
      {rows.length > LISTED && (
        <p className="quiet small">And {plural(rows.length - LISTED, 'more', 'more')}.</p>
      )}
    </>
  );
}

/** What the check says. */
export function Outcome({
  check: { failures, told, error, reload },
  onLeaveOut,
  ...of
}: {
  readonly check: Checked;
  readonly onLeaveOut: (ids: readonly string[]) => void;
  readonly rows: readonly Row[];
  readonly field: TypeInfo['allFields'][number];
  readonly value: unknown;
}): ReactNode {
  if (error) return <Fault error={error} onRetry={reload} />;
  if (failures === undefined) return <Loading what="what would change" />;
  return (
    <>
      <p role="status">{told}</p>
      {failures.size > 0 && failures.size < of.rows.length && (
        <p>
          <button
            type="button"
            className="button"
            onClick={() => {
              onLeaveOut([...failures.keys()]);
            }}
          >
            Leave out the refused
          </button>
        </p>
      )}
      <Preview {...of} failures={failures} />
    </>
  );
}
