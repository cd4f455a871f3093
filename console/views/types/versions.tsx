// The versions of a schema: who registered each, what it changed, and what differs between two.
import type { ReactNode } from 'react';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { SchemaVersionsQuery, SchemaVersionsQueryVariables } from '../../generated/api.ts';
import { Differences } from '../../parts/differences.tsx';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Given, Instant } from '../../parts/value.tsx';
import { useTwoVersions } from '../../parts/version-choice.tsx';

const VERSIONS = operation<SchemaVersionsQuery, SchemaVersionsQueryVariables>(/* GraphQL */ `
  query SchemaVersions($name: String!) {
    schemaVersions(name: $name) {
      version
      revision
      definition
      registeredBy
      registeredAt
      changes
    }
  }
`);

type Version = NonNullable<SchemaVersionsQuery['schemaVersions']>[number];

function Listed({ versions }: { readonly versions: readonly Version[] }): ReactNode {
  const [from, to, choice] = useTwoVersions(versions.map(({ version }) => version).toReversed());
  const definitionOf = (wanted: string): unknown =>
    versions.find(({ version }) => version === wanted)?.definition;
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
          <Differences
            label={`Version ${from} and ${to}`}
            before={definitionOf(from)}
            after={definitionOf(to)}
          />
        </>
      )}
    </>
  );
}

export function Versions({ name }: { readonly name: string }): ReactNode {
  const answer = useQuery(VERSIONS, { name });
  return (
    <Shown answer={answer} what="the versions">
      {({ schemaVersions }) => <Listed versions={schemaVersions ?? []} />}
    </Shown>
  );
}
