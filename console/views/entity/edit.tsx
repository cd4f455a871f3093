// The form that creates or changes an entity: made from the schema, checked by the server while it is filled in.
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useAddress, useHref } from '../../address/address.tsx';
import type { ApiError } from '../../api/api-error.ts';
import type { Data } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import type {
  CheckEntityQuery,
  CheckEntityQueryVariables,
  CreateEntityMutation,
  CreateEntityMutationVariables,
  UpdateEntityMutation,
  UpdateEntityMutationVariables,
} from '../../generated/api.ts';
import { FieldInput } from '../../parts/field-input.tsx';
import { changesOf, type Texts, textsOf } from '../../parts/form-values.ts';
import { TextField } from '../../parts/form.tsx';
import { Fault } from '../../parts/states.tsx';
import { dataOf, type Entity, type EntityType } from './read.ts';

const CHECK = operation<CheckEntityQuery, CheckEntityQueryVariables>(/* GraphQL */ `
  query CheckEntity($type: String!, $id: ID, $data: JSON!) {
    validateEntity(entityType: $type, id: $id, data: $data) {
      valid
      failures {
        message
        ruleId
      }
    }
  }
`);
const UPDATE = operation<UpdateEntityMutation, UpdateEntityMutationVariables>(/* GraphQL */ `
  mutation UpdateEntity($type: String!, $id: ID!, $data: JSON!, $version: Int!, $context: ProvenanceContext) {
    updateEntity(entityType: $type, id: $id, data: $data, ifVersion: $version, context: $context) {
      id
      version
    }
  }
`);
const CREATE = operation<CreateEntityMutation, CreateEntityMutationVariables>(/* GraphQL */ `
  mutation CreateEntity($type: String!, $id: ID, $data: JSON!, $context: ProvenanceContext) {
    createEntity(entityType: $type, id: $id, data: $data, context: $context) {
      id
    }
  }
`);

const SETTLES_MS = 400;

/** The value once it has not changed for a while. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(JSON.parse(key) as Value); // written a line above
    }, SETTLES_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [key]);
  return settled;
}

interface Failures {
  readonly byField: Readonly<Record<string, string>>;
  readonly others: readonly string[];
}

/** Failures whose message begins with the field that it is about go to its input. */
function sortFailures(failures: readonly { readonly message: string }[], type: EntityType): Failures {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const { message } of failures) {
    const name = type.allFields.find((field) => message.startsWith(`field ${field.name} `))?.name;
    if (name === undefined) others.push(message);
    else byField[name] ??= message;
  }
  return { byField, others };
}

function useCheck(type: EntityType, id: string | undefined, changes: Data): Failures {
  const settled = useSettled(changes);
  const skip = Object.keys(settled).length === 0;
  const { data } = useQuery(CHECK, { type: type.name, id: id ?? null, data: settled }, { skip });
  return sortFailures(skip ? [] : (data?.validateEntity.failures ?? []), type);
}

interface Props {
  readonly type: EntityType;
  /** Without it, a new one is created. */
  readonly entity?: Entity;
  readonly onDone: () => void;
  /** Reads the entity again, which keeps what was typed. */
  readonly onStale?: () => void;
}

const contextOf = (reason: string): { readonly notes: string } | null =>
  reason.trim() === '' ? null : { notes: reason.trim() };

interface Saving {
  readonly save: () => Promise<void>;
  readonly isRunning: boolean;
  readonly error: ApiError | undefined;
}

function useSave({ type, entity, onDone }: Props, data: Data, id: string, reason: string): Saving {
  const { go } = useAddress();
  const href = useHref();
  const context = contextOf(reason);
  const create = useAction(
    CREATE,
    entity ? undefined : { type: type.name, id: id.trim() || null, data, context },
  );
  const update = useAction(
    UPDATE,
    entity && { type: entity.entityType, id: entity.id, data, version: entity.version, context },
  );
  return {
    isRunning: create.isRunning || update.isRunning,
    error: create.error ?? update.error,
    async save() {
      const made = await create.run();
      if (made) go(href('entity', { id: made.createEntity.id }));
      if (await update.run()) onDone();
    },
  };
}

interface Entered {
  readonly before: Texts;
  readonly texts: Texts;
  readonly enter: (name: string, text: string) => void;
  /** Of a field that was typed into, what somebody else has made of it since. */
  readonly meanwhile: (name: string) => string | undefined;
}

/** What is stored, and what was typed; a field whose text is again what is stored was not typed into. */
function useTexts(type: EntityType, entity: Entity | undefined): Entered {
  const before = textsOf(entity ? dataOf(entity) : {}, type.allFields);
  const [first] = useState(before);
  const [typed, setTyped] = useState<Texts>({});
  return {
    before,
    texts: { ...before, ...typed },
    enter: (name, text) => {
      setTyped(({ [name]: _, ...others }) =>
        text === (before[name] ?? '') ? others : { ...others, [name]: text },
      );
    },
    meanwhile: (name) => {
      const now = before[name] ?? '';
      if (typed[name] === undefined || now === (first[name] ?? '') || now === typed[name]) return undefined;
      return now === '' ? 'somebody else has emptied it' : `somebody else has made it ${now.slice(0, 200)}`;
    },
  };
}

export function Edit(props: Props): ReactNode {
  const { type, entity, onDone, onStale } = props;
  const { before, texts, enter, meanwhile } = useTexts(type, entity);
  const [id, setId] = useState('');
  /** The version that the latest save was for. */
  const [refused, setRefused] = useState<number>();
  const [reason, setReason] = useState('');
  const changes = changesOf(before, texts, type.allFields, entity === undefined);
  const { save, isRunning, error } = useSave(props, changes, id, reason);
  const { byField, others } = useCheck(type, entity?.id, changes);
  const faultOf = (name: string): string | undefined =>
    [byField[name], meanwhile(name)].filter((message) => message !== undefined).join('. ') || undefined;
  const isUnchanged = Object.keys(changes).length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setRefused(entity?.version);
    void save();
  };
  return (
    <form className="card form" onSubmit={submit} aria-label={entity ? 'Edit' : `New ${type.name}`}>
      {entity === undefined && (
        <TextField
          id="new-id"
          label="id"
          hint="Without one, the server makes one."
          autoComplete="off"
          value={id}
          onChange={setId}
        />
      )}
      {type.allFields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          text={texts[field.name] ?? ''}
          fault={faultOf(field.name)}
          onChange={(text) => {
            enter(field.name, text);
          }}
        />
      ))}
      <TextField
        id="reason"
        label="Reason"
        hint="Kept with the change in the history."
        value={reason}
        onChange={setReason}
      />
      {others.length > 0 && (
        <ul className="fault" role="status">
          {others.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {error && error.code !== 'precondition_failed' && <Fault error={error} />}
      {error?.code === 'precondition_failed' && refused === entity?.version && (
        <Fault error={error} onRetry={onStale} retry="Read it again, and keep what I typed" />
      )}
      <div className="row">
        <button
          type="submit"
          className="button first"
          disabled={isRunning || (isUnchanged && (entity !== undefined || id.trim() === ''))}
        >
          {entity ? 'Save' : 'Create'}
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <span className="quiet small" role="status">
          {!isUnchanged && `Changes ${Object.keys(changes).join(', ')}`}
        </span>
      </div>
    </form>
  );
}
