// Gives a field of all selected entities a value: shows what would change and whether it may, then writes all or
// none.
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import type { Data } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useAction } from '../../api/use-api.ts';
import type { BulkEditMutation, BulkEditMutationVariables, IngestedEntity } from '../../generated/api.ts';
import { FieldInput } from '../../parts/field-input.tsx';
import { readField } from '../../parts/form-values.ts';
import { Field, Select, TextField } from '../../parts/form.tsx';
import { Fault } from '../../parts/states.tsx';
import { plural } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Outcome, useCheck } from './bulk-outcome.tsx';
import type { Row } from './read-rows.ts';

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

/** Of one request: docs/reference/api-conventions.md#body-limits. */
const MOST_BYTES = 10 * 2 ** 20;

const bytesOf = (data: Data): number => new TextEncoder().encode(JSON.stringify(data)).length;

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
  { onDone, onRefused }: { readonly onDone: () => void; readonly onRefused: () => void },
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
      if (errors.length > 0) onRefused();
      else if (done !== undefined) onDone();
    });
  };
  const forget = (): void => {
    setRefused([]);
  };
  return { write, isRunning, error, refused, forget };
}

/** Which field, and what it is to be. */
const Choice = ({
  fields,
  field,
  text,
  onChange,
}: {
  readonly fields: TypeInfo['allFields'];
  readonly field: TypeInfo['allFields'][number];
  readonly text: string;
  readonly onChange: (name: string, text: string) => void;
}): ReactNode => (
  <div className="columns">
    <Field id="bulk-field" label="Field">
      <Select
        id="bulk-field"
        value={field.name}
        choices={fields.map((one) => one.name)}
        onChange={(name) => {
          onChange(name, '');
        }}
      />
    </Field>
    <FieldInput
      field={field}
      text={text}
      fault={undefined}
      onChange={(typed) => {
        onChange(field.name, typed);
      }}
    />
  </div>
);

interface Props {
  readonly type: TypeInfo;
  readonly rows: readonly Row[];
  readonly onLeaveOut: (ids: readonly string[]) => void;
  readonly onDone: () => void;
}

export function BulkEdit({ type, rows, onLeaveOut, onDone }: Props): ReactNode {
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
  const check = useCheck(entities);
  const { write, isRunning, error, refused, forget } = useWrite(rows, entities, reason, {
    onDone,
    onRefused: check.reload,
  });
  const send = useRef<HTMLButtonElement>(null);
  if (field === undefined) return <p>This type has no fields.</p>;
  // not `disabled`, which takes the focus away from whoever has just asked what would change
  const isBlocked = isRunning || (shown !== undefined && check.failures?.size !== 0);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (shown === undefined) setShown({ [name]: readField(text, field) });
    else if (!isBlocked) write();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Edit the selected">
      <Choice
        fields={fields}
        field={field}
        text={text}
        onChange={(other, typed) => {
          setName(other);
          setText(typed);
          setShown(undefined);
          forget();
        }}
      />
      <TextField
        id="bulk-reason"
        label="Reason"
        hint="Kept with each change in the histories."
        value={reason}
        onChange={setReason}
      />
      {entities && (
        <Outcome
          check={check}
          rows={rows}
          field={field}
          value={shown?.[name]}
          onLeaveOut={(ids) => {
            forget();
            onLeaveOut(ids);
            send.current?.focus(); // the button that had it is gone
          }}
        />
      )}
      {isTooMuch && <TooMuch of={rows.length} />}
      {refused.length > 0 && <Refused messages={refused} />}
      {error && <Fault error={error} />}
      <footer>
        <button type="submit" className="button first" ref={send} aria-disabled={isBlocked}>
          {shown === undefined
            ? 'Show what would change'
            : `Change ${plural(rows.length, 'entity', 'entities')}`}
        </button>
      </footer>
    </form>
  );
}
