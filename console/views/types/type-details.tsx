// One type: its fields, rules, what refers to it, and its definition.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { useIsPresent } from '../../frame/in-present.tsx';
import { Missing, Page, useTab } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import type { TypeQuery, TypeQueryVariables } from '../../generated/api.ts';
import { FIELD_INFO } from '../../parts/field-kind.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Given, Json } from '../../parts/value.tsx';
import { Change } from './change.tsx';
import { Versions } from './versions.tsx';

const TYPE = operation<TypeQuery, TypeQueryVariables>(
  /* GraphQL */ `
    query Type($name: String!) {
      schema(name: $name) {
        name
        version
        description
        parent
        subtypes
        definition
        rules {
          ruleId
          expression
          message
        }
        fields {
          name
        }
        allFields {
          ...FieldInfo
          unique
          indexed
          searchable
          default
        }
      }
    }
  `,
  FIELD_INFO,
);
type Schema = NonNullable<TypeQuery['schema']>;
type Field = Schema['allFields'][number];

const TABS = [
  { key: 'fields', title: 'Fields' },
  { key: 'rules', title: 'Rules' },
  { key: 'definition', title: 'Definition' },
  { key: 'versions', title: 'Versions' },
] as const;
const CHANGE = { key: 'change', title: 'Change' } as const;

function Kind({ field }: { readonly field: Field }): ReactNode {
  const { type, many, references, values } = field;
  return (
    <>
      {many && 'list of '}
      {references === null ? (
        type
      ) : (
        <Link to="types" params={{ name: references }}>
          <Given text={references} />
        </Link>
      )}
      {values && <span className="quiet">: {values.join(', ')}</span>}
    </>
  );
}

const traitsOf = ({ required, unique, indexed, searchable }: Field): readonly string[] => [
  ...(required ? ['required'] : []),
  ...(unique ? ['unique'] : []),
  ...(indexed ? ['indexed'] : []),
  ...(searchable ? ['searchable'] : []),
];

const Fields = ({ schema }: { readonly schema: Schema }): ReactNode => (
  <Table
    label="Fields"
    rows={schema.allFields}
    keyOf={({ name }) => name}
    columns={[
      {
        key: 'name',
        title: 'field',
        cell: ({ name }) => (
          <>
            <strong>
              <Given text={name} />
            </strong>
            {!schema.fields.some((own) => own.name === name) && (
              <span className="quiet small"> inherited</span>
            )}
          </>
        ),
      },
      { key: 'type', title: 'type', cell: (field) => <Kind field={field} /> },
      {
        key: 'traits',
        title: 'traits',
        cell: (field) => (
          <span className="row">
            {traitsOf(field).map((trait) => (
              <span key={trait} className="tag plain">
                {trait}
              </span>
            ))}
          </span>
        ),
      },
      {
        key: 'default',
        title: 'default',
        cell: ({ default: value }) => (value === null ? '' : <code>{JSON.stringify(value)}</code>),
      },
      { key: 'about', title: 'about', cell: ({ description }) => <Given text={description ?? ''} /> },
    ]}
  />
);

const Rules = ({ schema: { rules } }: { readonly schema: Schema }): ReactNode =>
  rules.length === 0 ? (
    <Empty title="No rules">
      <p>The types of the fields are all that its entities have to meet.</p>
    </Empty>
  ) : (
    <ul className="stack">
      {rules.map(({ ruleId, expression, message }) => (
        <li key={ruleId} className="card">
          <h2>
            <Given text={ruleId} />
          </h2>
          <pre className="code" tabIndex={0}>
            {expression}
          </pre>
          <p>
            <Given text={message} />
          </p>
        </li>
      ))}
    </ul>
  );

function Tabs({
  schema,
  tab,
  reload,
}: {
  readonly schema: Schema;
  readonly tab: string;
  readonly reload: () => void;
}): ReactNode {
  const { name, version, definition } = schema;
  if (tab === 'versions') return <Versions key={version} name={name} />;
  if (tab === 'change')
    return (
      <Change key={version} name={name} version={version} definition={definition} onRegistered={reload} />
    );
  if (tab === 'rules') return <Rules schema={schema} />;
  if (tab === 'definition') return <Json value={schema.definition} />;
  return <Fields schema={schema} />;
}

export function TypeDetails({ name }: { readonly name: string }): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(TYPE, { name }, { at });
  const { is } = useSession();
  const isPresent = useIsPresent();
  const [tab, bar] = useTab(isPresent && is('admin') ? [...TABS, CHANGE] : TABS);
  return (
    <Shown answer={answer} what="the type">
      {({ schema }) => {
        if (schema === null)
          return <Missing title={`There ${at === undefined ? 'is' : 'was'} no type ${name}`} />;
        const { parent, subtypes } = schema;
        return (
          <Page
            crumb={<Link to="types">Types</Link>}
            title={
              <>
                <Given text={schema.name} /> <span className="tag plain">{schema.version}</span>
              </>
            }
            about={
              <>
                <Given text={schema.description ?? 'No description.'} />
                {parent !== null && ` A kind of ${parent}.`}
                {subtypes.length > 0 && ` Kinds of it: ${subtypes.join(', ')}.`}
              </>
            }
            actions={
              <Link to="entities" params={{ type: schema.name }} className="button first">
                Its entities
              </Link>
            }
          >
            {bar}
            <Tabs schema={schema} tab={tab} reload={answer.reload} />
          </Page>
        );
      }}
    </Shown>
  );
}
