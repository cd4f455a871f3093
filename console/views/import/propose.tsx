// A type for a sheet that fits none: proposed from its cells, edited, registered.
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type Data, isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type {
  ProposeSchemaQuery,
  ProposeSchemaQueryVariables,
  RegisterTypeMutation,
  RegisterTypeMutationVariables,
} from '../../generated/api.ts';
import { Field, TextField } from '../../parts/form.tsx';
import { Fault, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Given } from '../../parts/value.tsx';
import type { Sheet } from './sheet.ts';

const PROPOSE = operation<ProposeSchemaQuery, ProposeSchemaQueryVariables>(/* GraphQL */ `
  query ProposeSchema($name: String!, $rows: [JSON!]!) {
    proposeSchema(name: $name, rows: $rows) {
      definition
      idColumn
      columns {
        column
        field
        evidence
      }
    }
  }
`);
const REGISTER = operation<RegisterTypeMutation, RegisterTypeMutationVariables>(/* GraphQL */ `
  mutation RegisterType($definition: JSON!) {
    createSchema(definition: $definition) {
      name
    }
  }
`);

/** Rows that are looked at: enough to tell, and a request of a modest size. */
const LOOKED_AT = 2000;
const CHARACTERS = 2_000_000;

function recordsOf({ columns, rows }: Sheet): readonly Data[] {
  const records: Data[] = [];
  let size = 0;
  for (const { cells } of rows.slice(0, LOOKED_AT)) {
    const record = Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? null]));
    size += JSON.stringify(record).length;
    if (records.length > 0 && size > CHARACTERS) break;
    records.push(record);
  }
  return records;
}

/** `20130606_sample_info.tsv` as `SampleInfo`. */
function typeNameOf(file: string): string {
  const words = file
    .replace(/\.[^.]*$/, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => /^[A-Za-z]/.test(word));
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Record';
}

const wordOf = (field: unknown): string => {
  if (!isData(field)) return 'no field';
  const { name, field_type: type, references, required, unique, many } = field;
  const kind = typeof references === 'string' ? `reference to ${references}` : String(type);
  return [
    `${String(name)}: ${many === true ? 'list of ' : ''}${kind}`,
    ...(required === true ? ['required'] : []),
    ...(unique === true ? ['unique'] : []),
  ].join(', ');
};

interface Proposed {
  readonly proposal: ProposeSchemaQuery['proposeSchema'];
  readonly onRegistered: (type: string, idColumn: string | null) => void;
}

/** What the text defines, or why it cannot be read. */
function definitionIn(text: string): { readonly definition?: Data; readonly fault?: ApiError } {
  try {
    const definition: unknown = JSON.parse(text);
    if (!isData(definition)) throw new SyntaxError('it must be an object');
    return { definition };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return {
      fault: new ApiError('no_json', `The definition is no JSON: ${cause.message}`, { cause }),
    };
  }
}

function Definition({ proposal, onRegistered }: Proposed): ReactNode {
  const { is } = useSession();
  const [text, setText] = useState(JSON.stringify(proposal.definition, null, 2));
  const { definition, fault: said } = definitionIn(text);
  const { run, isRunning, error } = useAction(
    REGISTER,
    is('admin') && definition ? { definition } : undefined,
  );
  const [fault, setFault] = useState<ApiError>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setFault(said);
    void run().then((done) => {
      if (done !== undefined) onRegistered(done.createSchema.name, proposal.idColumn);
    });
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Proposed definition">
      <Field id="proposed" label="Definition" hint="Edit it before it is registered.">
        <textarea
          id="proposed"
          className="mono"
          rows={14}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
          }}
        />
      </Field>
      {(fault ?? error) && <Fault error={fault ?? (error as ApiError) /* one of them is there */} />}
      <footer className="row">
        {is('admin') ? (
          <button type="submit" className="button first" disabled={isRunning}>
            Register this type
          </button>
        ) : (
          <span className="quiet">An administrator registers types: send them this definition.</span>
        )}
      </footer>
    </form>
  );
}

export function Propose({
  sheet,
  onRegistered,
}: {
  readonly sheet: Sheet;
  readonly onRegistered: Proposed['onRegistered'];
}): ReactNode {
  const [name, setName] = useState(typeNameOf(sheet.name));
  const [asked, setAsked] = useState<string>();
  const [rows] = useState(() => recordsOf(sheet));
  const answer = useQuery(PROPOSE, { name: asked ?? '', rows }, { skip: asked === undefined });
  return (
    <section className="card stack" aria-label="New type">
      <h2>A new type for this sheet</h2>
      <form
        className="split"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(name.trim());
        }}
      >
        <TextField id="new-type" label="Name of the type" required value={name} onChange={setName} />
        <button type="submit" className="button first">
          Propose a schema
        </button>
      </form>
      {asked !== undefined && (
        <Shown answer={answer} what="the proposal">
          {({ proposeSchema }) => (
            <>
              <Table
                label="Proposed fields"
                rows={proposeSchema.columns}
                keyOf={({ column }) => column}
                columns={[
                  {
                    key: 'column',
                    title: 'column',
                    cell: ({ column }) => <Given text={column} most={100} />,
                  },
                  { key: 'field', title: 'field', cell: ({ field }) => <Given text={wordOf(field)} /> },
                  {
                    key: 'evidence',
                    title: 'because',
                    cell: ({ evidence }) => (
                      <span className="quiet">
                        <Given text={evidence} most={300} />
                      </span>
                    ),
                  },
                ]}
              />
              <Definition key={asked} proposal={proposeSchema} onRegistered={onRegistered} />
            </>
          )}
        </Shown>
      )}
    </section>
  );
}
