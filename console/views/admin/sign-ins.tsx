// Sign-ins in use: one's own, and for administrators those of all or of one actor.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { InPresent } from '../../frame/in-present.tsx';
import { type Session, useSession } from '../../frame/session.tsx';
import type { SignInsQuery, SignInsQueryVariables } from '../../generated/api.ts';
import { ShownPage } from '../../parts/page-steps.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Given, Instant } from '../../parts/value.tsx';
import { EndSignIn, SignOutEverywhere } from './sign-out.tsx';

const SIGN_INS = operation<SignInsQuery, SignInsQueryVariables>(/* GraphQL */ `
  query SignIns($actor: String, $cursor: String) {
    signIns(actor: $actor, limit: 50, cursor: $cursor) {
      nextCursor
      signIns {
        id
        kind
        actor
        client
        keyId
        createdAt
        expiresAt
      }
    }
  }
`);
type SignIn = SignInsQuery['signIns']['signIns'][number];

function withText({ kind, client, keyId }: SignIn): string {
  const what = kind === 'browser' ? 'browser' : `tokens of ${client ?? 'a client'}`;
  return keyId === null || keyId === client ? what : `${what}, by the key ${keyId}`;
}

const SignInTable = ({
  signIns,
  onDone,
}: {
  readonly signIns: readonly SignIn[];
  readonly onDone: () => void;
}): ReactNode => (
  <Table
    label="Sign-ins"
    rows={signIns}
    keyOf={({ id }) => id}
    columns={[
      { key: 'actor', title: 'actor', cell: ({ actor }) => <Given text={actor} most={120} /> },
      { key: 'with', title: 'with', cell: (one) => <Given text={withText(one)} most={200} /> },
      { key: 'created', title: 'since', cell: ({ createdAt }) => <Instant iso={createdAt} /> },
      { key: 'expires', title: 'until', cell: ({ expiresAt }) => <Instant iso={expiresAt} /> },
      {
        key: 'end',
        title: <span className="visually-hidden">End</span>,
        cell: (one) => (
          <InPresent>
            <EndSignIn id={one.id} what={`the sign-in of ${one.actor}, ${withText(one)}`} onDone={onDone} />
          </InPresent>
        ),
      },
    ]}
  />
);

const managesAll = ({ is, projects }: Session): boolean => is('admin') && projects === null;

export function SignIns(): ReactNode {
  const session = useSession();
  const { params } = useAddress();
  const isAdmin = managesAll(session);
  const actor = isAdmin ? params.get('actor') : session.actor;
  const answer = useQuery(SIGN_INS, { actor, cursor: params.get('cursor') });
  return (
    <div className="stack">
      <div className="row apart">
        <p className="quiet">
          {actor === null ? (
            'Browsers, devices, applications and services that are signed in.'
          ) : (
            <>
              Browsers, devices and applications that are signed in as <Given text={actor} />.{' '}
              {isAdmin && (
                <Link to="admin" params={{ tab: 'sign-ins' }}>
                  Show all
                </Link>
              )}
            </>
          )}
        </p>
        <InPresent>
          <SignOutEverywhere actor={actor ?? session.actor} onDone={answer.reload} />
        </InPresent>
      </div>
      <ShownPage
        answer={answer}
        what="the sign-ins"
        pageOf={({ signIns: { signIns, nextCursor } }) => ({ rows: signIns, nextCursor })}
        empty={<Empty title="Nobody is signed in" />}
      >
        {(signIns) => <SignInTable signIns={signIns} onDone={answer.reload} />}
      </ShownPage>
    </div>
  );
}
