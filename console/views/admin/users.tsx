// Who can come in: accounts, and everybody with a key or a sign-in.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { COMMAND } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import { InPresent } from '../../frame/in-present.tsx';
import type { UsersQuery, UsersQueryVariables } from '../../generated/api.ts';
import { ShownPage } from '../../parts/page-steps.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { agoText, wordsOf } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { projectsText } from './clients.tsx';
import { SignOutEverywhere } from './sign-out.tsx';

const USERS = operation<UsersQuery, UsersQueryVariables>(/* GraphQL */ `
  query Users($cursor: String) {
    knownActors(limit: 100, cursor: $cursor) {
      nextCursor
      actors {
        actor
        isLocal
        roles
        projects
        disabledAt
        keys
        browsers
        tokens
        keyUsedAt
      }
    }
  }
`);
type User = UsersQuery['knownActors']['actors'][number];

function accountOf({ isLocal, disabledAt }: User): ReactNode {
  if (!isLocal) return <span className="quiet">none here</span>;
  return <Status of={disabledAt === null ? 'active' : 'disabled'} />;
}

const UserTable = ({
  users,
  onDone,
}: {
  readonly users: readonly User[];
  readonly onDone: () => void;
}): ReactNode => (
  <Table
    label="Users"
    rows={users}
    keyOf={({ actor }) => actor}
    columns={[
      { key: 'actor', title: 'actor', cell: ({ actor }) => <Given text={actor} most={120} /> },
      { key: 'account', title: 'account', cell: accountOf },
      { key: 'roles', title: 'roles', cell: ({ roles }) => roles.map(wordsOf).join(', ') },
      {
        key: 'projects',
        title: 'projects',
        cell: ({ isLocal, projects }) => (isLocal ? <Given text={projectsText(projects)} most={200} /> : ''),
      },
      {
        key: 'keys',
        title: 'keys',
        isNumber: true,
        cell: ({ keys, keyUsedAt }) => (
          <>
            {keys}
            {keyUsedAt !== null && <span className="quiet">, used {agoText(keyUsedAt)}</span>}
          </>
        ),
      },
      {
        key: 'sign-ins',
        title: 'sign-ins',
        isNumber: true,
        cell: ({ actor, browsers, tokens }) => (
          <Link to="admin" params={{ tab: 'sign-ins', actor }}>
            {browsers + tokens}
            <span className="visually-hidden"> sign-ins of {actor}</span>
          </Link>
        ),
      },
      {
        key: 'audit',
        title: <span className="visually-hidden">Audit</span>,
        cell: ({ actor }) => (
          <Link to="admin" params={{ tab: 'audit', actor }}>
            Audit<span className="visually-hidden"> of {actor}</span>
          </Link>
        ),
      },
      {
        key: 'end',
        title: <span className="visually-hidden">Sign out</span>,
        cell: ({ actor, browsers, tokens }) =>
          browsers + tokens > 0 ? (
            <InPresent>
              <SignOutEverywhere actor={actor} onDone={onDone} />
            </InPresent>
          ) : null,
      },
    ]}
  />
);

export function Users(): ReactNode {
  const { params } = useAddress();
  const answer = useQuery(USERS, { cursor: params.get('cursor') });
  return (
    <div className="stack">
      <p className="quiet">
        Everybody with an account, an API key or a sign-in. Accounts are made, changed and disabled by{' '}
        <code>{COMMAND} users</code> on the machine where the server runs.
      </p>
      <ShownPage
        answer={answer}
        what="the users"
        pageOf={({ knownActors: { actors, nextCursor } }) => ({ rows: actors, nextCursor })}
        empty={<Empty title="Nobody yet" />}
      >
        {(actors) => <UserTable users={actors} onDone={answer.reload} />}
      </ShownPage>
    </div>
  );
}
