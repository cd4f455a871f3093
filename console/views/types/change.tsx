// An edited definition: held against stored data, and registered as the next version when nothing contradicts it.
import { type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { ApiError } from '../../api/api-error.ts';
import { type Data, isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import type {
  CheckSchemaQuery,
  CheckSchemaQueryVariables,
  RegisterVersionMutation,
  RegisterVersionMutationVariables,
} from '../../generated/api.ts';
import { Field } from '../../parts/form.tsx';
import { Fault, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { plural } from '../../parts/text.ts';
import { EntityLink, Given } from '../../parts/value.tsx';

const CHECK = operation<CheckSchemaQuery, CheckSchemaQueryVariables>(/* GraphQL */ `
  query CheckSchema($definition: JSON!) {
    checkSchema(definition: $definition) {
      changes
      isComplete
      contradictions {
        message
        entityId
        field
        ruleId
      }
    }
  }
`);
const REGISTER = operation<RegisterVersionMutation, RegisterVersionMutationVariables>(/* GraphQL */ `
  mutation RegisterVersion($definition: JSON!) {
    createSchema(definition: $definition) {
      name
      version
    }
  }
`);

type Check = CheckSchemaQuery['checkSchema'];

/** The next minor version: `1.4.2` as `1.5.0`. */
function nextVersion(version: string): string {
  const [major = '1', minor = '0'] = version.split('.');
  return `${major}.${Number(minor) + 1 || 1}.0`;
}

const edited = (definition: unknown, version: string): string =>
  JSON.stringify(isData(definition) ? { ...definition, version: nextVersion(version) } : definition, null, 2);

function Contradictions({ check: { contradictions, isComplete } }: { readonly check: Check }): ReactNode {
  return (
    <div className="notice alarm" role="alert">
      <strong>
        {contradictions.length === 0
          ? 'Stored entities of other projects contradict it.'
          : `${isComplete ? '' : 'More than '}${plural(contradictions.length, 'stored entity contradicts', 'stored entities contradict')} it.`}
      </strong>
      <p>Correct them, or the definition. Nothing has been registered.</p>
      <Table
        label="Stored entities that contradict it"
        rows={contradictions}
        keyOf={({ entityId, field, ruleId }) => `${entityId} ${field ?? ''} ${ruleId ?? ''}`}
        columns={[
          { key: 'entity', title: 'entity', cell: ({ entityId }) => <EntityLink id={entityId} /> },
          {
            key: 'what',
            title: 'field or rule',
            cell: ({ field, ruleId }) => <Given text={field ?? ruleId ?? ''} />,
          },
          { key: 'why', title: 'why', cell: ({ message }) => <Given text={message} /> },
        ]}
      />
    </div>
  );
}

function Result({
  check,
  onRegister,
  isRunning,
}: {
  readonly check: Check;
  readonly onRegister: () => void;
  readonly isRunning: boolean;
}): ReactNode {
  const { changes, contradictions, isComplete } = check;
  const isRefused = contradictions.length > 0 || !isComplete;
  if (changes.length === 0) return <p className="notice">It is registered already, as it is.</p>;
  return (
    <>
      <ul className="card" aria-label="What would change">
        {changes.map((change) => (
          <li key={change}>
            <Given text={change} />
          </li>
        ))}
      </ul>
      {isRefused ? (
        <Contradictions check={check} />
      ) : (
        <p className="notice good" role="status">
          Nothing that is stored contradicts it.
        </p>
      )}
      <p>
        <button type="button" className="button first" disabled={isRunning || isRefused} onClick={onRegister}>
          Register this version
        </button>
      </p>
    </>
  );
}

interface Props {
  readonly name: string;
  readonly version: string;
  readonly definition: unknown;
  readonly onRegistered: () => void;
}

export function Change({ name, version, definition, onRegistered }: Props): ReactNode {
  const { set } = useAddress();
  const [text, setText] = useState(() => edited(definition, version));
  const [fault, setFault] = useState<ApiError>();
  const [asked, setAsked] = useState<Data>();
  const answer = useQuery(CHECK, { definition: asked ?? {} }, { skip: asked === undefined });
  const { run, isRunning, error } = useAction(REGISTER, asked && { definition: asked });
  const check = (): void => {
    try {
      const parsed: unknown = JSON.parse(text);
      if (!isData(parsed)) throw new SyntaxError('it must be an object');
      setFault(undefined);
      setAsked(parsed);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      setFault(new ApiError('no_json', `The definition is no JSON: ${cause.message}`, { cause }));
      setAsked(undefined);
    }
  };
  return (
    <form
      className="stack"
      aria-label={`Change ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        check();
      }}
    >
      <Field id="definition" label="Definition" hint="A change needs a higher version.">
        <textarea
          id="definition"
          className="mono"
          rows={20}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAsked(undefined);
          }}
        />
      </Field>
      <footer>
        <button type="submit" className="button first">
          Check against stored data
        </button>
      </footer>
      {fault && <Fault error={fault} />}
      {error && <Fault error={error} />}
      {asked !== undefined && (
        <Shown answer={answer} what="what it would change">
          {({ checkSchema }) => (
            <Result
              check={checkSchema}
              isRunning={isRunning || answer.isLoading}
              onRegister={() => {
                void run().then((done) => {
                  if (done === undefined) return;
                  onRegistered();
                  set({ tab: 'versions' });
                });
              }}
            />
          )}
        </Shown>
      )}
    </form>
  );
}
