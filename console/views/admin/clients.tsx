// The clients of the token endpoint: what they may ask for, and what they have in use.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { ClientsQuery } from '../../generated/api.ts';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { wordsOf } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';

const CLIENTS = operation<ClientsQuery>(/* GraphQL */ `
  query Clients {
    authClients {
      id
      isConfidential
      grants
      roles
      projects
      redirectUris
      tokens
    }
  }
`);

/** The last part of a grant that is a name of the IETF. */
const grantText = (grant: string): string => wordsOf(grant.split(':').at(-1) ?? grant);

export const projectsText = (projects: readonly string[] | null): string =>
  projects === null ? 'all' : projects.join(', ');

export function Clients(): ReactNode {
  const answer = useQuery(CLIENTS, {});
  return (
    <Shown answer={answer} what="the clients">
      {({ authClients }) => (
        <div className="stack">
          <p className="quiet">
            Clients are configured in <code>auth.clients</code>;{' '}
            <Link to="admin" params={{ tab: 'configuration', key: 'auth.clients' }}>
              the configuration in force
            </Link>{' '}
            has their keys. API keys with the role service are clients, too.
          </p>
          <Table
            label="Clients"
            rows={authClients}
            keyOf={({ id }) => id}
            columns={[
              { key: 'id', title: 'client', cell: ({ id }) => <Given text={id} /> },
              {
                key: 'kind',
                title: 'authenticates',
                cell: ({ isConfidential }) => (isConfidential ? 'with a secret' : 'by name only'),
              },
              { key: 'grants', title: 'grants', cell: ({ grants }) => grants.map(grantText).join(', ') },
              {
                key: 'roles',
                title: 'roles for itself',
                cell: ({ roles, projects, grants }) =>
                  grants.includes('client_credentials')
                    ? `${roles.map(wordsOf).join(', ')} in ${projectsText(projects)}`
                    : '',
              },
              {
                key: 'leads',
                title: 'leads back to',
                cell: ({ redirectUris }) =>
                  redirectUris.map((uri) => (
                    <div key={uri}>
                      <Given text={uri} most={200} />
                    </div>
                  )),
              },
              { key: 'tokens', title: 'sign-ins', isNumber: true, cell: ({ tokens }) => tokens },
            ]}
          />
        </div>
      )}
    </Shown>
  );
}
