// The versions of a schema: who registered each, what it changed, and what differs between two.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { SchemaVersionsQuery, SchemaVersionsQueryVariables } from '../../generated/api.ts';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Given, Instant } from '../../parts/value.tsx';
import { useTwoVersions } from '../../parts/version-choice.tsx';
import { SchemaDiff } from './schema-diff.tsx';

const VERSIONS = operation<SchemaVersionsQuery, SchemaVersionsQueryVariables>(/* GraphQL */ `
  query SchemaVersions($name: String!) {
    schemaVersions(name: $name) {
      version
      revision
      registeredBy
      registeredAt
      changes
    }
  }
`);

type Version = NonNullable<SchemaVersionsQuery['schemaVersions']>[number];

interface Props {
  readonly name: string;
}

function Listed({ name, versions }: Props & { readonly versions: readonly Version[] }): ReactNode {
  const [from, to, choice] = useTwoVersions(versions.map(({ version }) => version).toReversed());
  return (
    <>
      <Table
        label="Versions"
        rows={versions}
        keyOf={({ revision }) => String(revision)}
        columns={[
          { key: 'version', title: 'version', cell: ({ version }) => <Given text={version} /> },
          {
            key: 'changes',
            title: 'what it changed',
            cell: ({ changes }) => (
              <ul>
                {changes.map((change) => (
                  <li key={change}>
                    <Given text={change} />
                  </li>
                ))}
              </ul>
            ),
          },
          { key: 'by', title: 'by', cell: ({ registeredBy }) => <Given text={registeredBy} /> },
          { key: 'at', title: 'registered', cell: ({ registeredAt }) => <Instant iso={registeredAt} /> },
        ]}
      />
      {versions.length > 1 && (
        <>
          {choice}
          <SchemaDiff
            label={`Version ${from} and ${to}`}
            of={{ name, version: from }}
            and={{ name, version: to }}
          />
        </>
      )}
      <p>
        <Link to="compare" params={{ of: 'type', one: `${name}@${to}` }}>
          Compare with another type
        </Link>
      </p>
    </>
  );
}

export function Versions({ name }: Props): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(VERSIONS, { name }, { at });
  return (
    <Shown answer={answer} what="the versions">
      {({ schemaVersions }) => <Listed name={name} versions={schemaVersions ?? []} />}
    </Shown>
  );
}
