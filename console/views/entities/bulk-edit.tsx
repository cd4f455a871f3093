// Gives a field of all selected entities a value: shows what would change and whether it may, then writes all or
// none.
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import type { Data } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import type {
  BulkEditMutation,
  BulkEditMutationVariables,
  CheckBulkEditMutation,
  CheckBulkEditMutationVariables,
  IngestedEntity,
} from '../../generated/api.ts';
import { FieldInput } from '../../parts/field-input.tsx';
import { readField } from '../../parts/form-values.ts';
import { Field, Select, TextField } from '../../parts/form.tsx';
import { Fault, Loading } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { plural } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Given, Value } from '../../parts/value.tsx';
import type { Row } from './rows.ts';

const BULK_EDIT = operation<BulkEditMutation, BulkEditMutationVariables>(/* GraphQL */ `
  mutation BulkEdit($entities: [IngestedEntity!]!, $context: ProvenanceContext) {
    ingestEntities(entities: $entities, allOrNothing: true, context: $context) {
      updated
      unchanged
      errors {
        index
        message
      }
    }
  }
`);

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

/** Of one request: docs/reference/api-conventions.md#body-limits. */
const MOST_BYTES = 10 * 2 ** 20;

const bytesOf = (data: Data): number => new TextEncoder().encode(JSON.stringify(data)).length;

interface Checked {
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
function useCheck(entities: readonly IngestedEntity[] | undefined): Checked {
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
function Outcome({
  check: { failures, told, error, reload },
  ...of
}: {
  readonly check: Checked;
  readonly rows: readonly Row[];
  readonly field: TypeInfo['allFields'][number];
  readonly value: unknown;
}): ReactNode {
  if (error) return <Fault error={error} onRetry={reload} />;
  if (failures === undefined) return <Loading what="what would change" />;
  return (
    <>
      <p role="status">{told}</p>
      <Preview {...of} failures={failures} />
    </>
  );
}

const TooMuch = ({ of }: { readonly of: number }): ReactNode => (
  <p className="notice warn" role="alert">
    This value, for {plural(of, 'entity', 'entities')}, is more than the 10 MiB that one request may have.
    Select fewer.
  </p>
);

const Refused = ({ messages }: { readonly messages: readonly string[] }): ReactNode => (
  <div className="notice alarm" role="alert">
    <strong>Nothing was written.</strong>
    <ul>
      {messages.slice(0, 20).map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  </div>
);

interface Write {
  readonly write: () => void;
  readonly isRunning: boolean;
  readonly error: ApiError | undefined;
  /** Why nothing was written, entity by entity. */
  readonly refused: readonly string[];
  readonly forget: () => void;
}

function useWrite(
  rows: readonly Row[],
  entities: readonly IngestedEntity[] | undefined,
  reason: string,
  onDone: () => void,
): Write {
  const { run, isRunning, error } = useAction(
    BULK_EDIT,
    entities && { entities, context: reason.trim() === '' ? null : { notes: reason.trim() } },
  );
  const [refused, setRefused] = useState<readonly string[]>([]);
  const write = (): void => {
    void run().then((done) => {
      const { errors = [] } = done?.ingestEntities ?? {};
      setRefused(errors.map(({ index, message }) => `${rows[index]?.id ?? index}: ${message}`));
      if (done !== undefined && errors.length === 0) onDone();
    });
  };
  const forget = (): void => {
    setRefused([]);
  };
  return { write, isRunning, error, refused, forget };
}

interface Props {
  readonly type: TypeInfo;
  readonly rows: readonly Row[];
  readonly onDone: () => void;
}

export function BulkEdit({ type, rows, onDone }: Props): ReactNode {
  const fields = type.allFields;
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [shown, setShown] = useState<Data>();
  const field = fields.find((one) => one.name === name);
  const isTooMuch = shown !== undefined && bytesOf(shown) * rows.length > MOST_BYTES;
  // not while a value is typed, which may be long
  const entities =
    shown === undefined || isTooMuch
      ? undefined
      : rows.map(({ id, entityType, version }) => ({ id, entityType, data: shown, ifVersion: version }));
  const { write, isRunning, error, refused, forget } = useWrite(rows, entities, reason, onDone);
  const check = useCheck(entities);
  if (field === undefined) return <p>This type has no fields.</p>;
  const change = (to: () => void): void => {
    to();
    setShown(undefined);
    forget();
  };
  // not `disabled`, which takes the focus away from whoever has just asked what would change
  const isBlocked = isRunning || (shown !== undefined && check.failures?.size !== 0);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (shown === undefined) setShown({ [name]: readField(text, field) });
    else if (!isBlocked) write();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Edit the selected">
      <div className="columns">
        <Field id="bulk-field" label="Field">
          <Select
            id="bulk-field"
            value={name}
            choices={fields.map((one) => one.name)}
            onChange={(other) => {
              change(() => {
                setName(other);
                setText('');
              });
            }}
          />
        </Field>
        <FieldInput
          field={field}
          text={text}
          fault={undefined}
          onChange={(typed) => {
            change(() => {
              setText(typed);
            });
          }}
        />
      </div>
      <TextField
        id="bulk-reason"
        label="Reason"
        hint="Kept with each change in the histories."
        value={reason}
        onChange={setReason}
      />
      {entities && <Outcome check={check} rows={rows} field={field} value={shown?.[name]} />}
      {isTooMuch && <TooMuch of={rows.length} />}
      {refused.length > 0 && <Refused messages={refused} />}
      {error && <Fault error={error} />}
      <footer>
        <button type="submit" className="button first" aria-disabled={isBlocked}>
          {shown === undefined
            ? 'Show what would change'
            : `Change ${plural(rows.length, 'entity', 'entities')}`}
        </button>
      </footer>
    </form>
  );
}
