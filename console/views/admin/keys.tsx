// API keys: those there are, new ones, and the end of one.
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import { InPresent, useIsPresent } from '../../frame/in-present.tsx';
import { useSession } from '../../frame/session.tsx';
import type {
  CreateKeyMutation,
  CreateKeyMutationVariables,
  KeysQuery,
  KeysQueryVariables,
  RevokeKeyMutation,
  RevokeKeyMutationVariables,
  Role,
} from '../../generated/api.ts';
import { Field, Select, TextField } from '../../parts/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Confirm, Dialog, useOpen } from '../../parts/overlays.tsx';
import { ShownPage } from '../../parts/page-steps.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Fault } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { agoText, wordsOf } from '../../parts/text.ts';
import { Given, Instant } from '../../parts/value.tsx';

const KEYS = operation<KeysQuery, KeysQueryVariables>(/* GraphQL */ `
  query Keys($all: Boolean, $cursor: String) {
    apiKeys(all: $all, cursor: $cursor, limit: 100) {
      nextCursor
      keys {
        id
        label
        role
        project
        owner
        createdAt
        expires
        lastUsedAt
        revokedAt
      }
    }
  }
`);
const CREATE_KEY = operation<CreateKeyMutation, CreateKeyMutationVariables>(/* GraphQL */ `
  mutation CreateKey($input: ApiKeyInput!) {
    createApiKey(input: $input) {
      secret
      key {
        id
      }
    }
  }
`);
const REVOKE_KEY = operation<RevokeKeyMutation, RevokeKeyMutationVariables>(/* GraphQL */ `
  mutation RevokeKey($id: ID!) {
    revokeApiKey(id: $id) {
      id
    }
  }
`);
type Key = KeysQuery['apiKeys']['keys'][number];

const ROLES = ['viewer', 'analyst', 'project_lead', 'admin'] as const;

function stateOf({ revokedAt, expires }: Key): string {
  if (revokedAt !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= Date.now() ? 'expired' : 'active';
}

function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }): ReactNode {
  return (
    <div className="stack">
      <p>This is the key. It is shown this once: copy it now.</p>
      <pre className="code" tabIndex={0}>
        {secret}
      </pre>
      <footer>
        <button
          type="button"
          className="button"
          onClick={() => {
            void navigator.clipboard.writeText(secret);
          }}
        >
          <Icon name="copy" /> Copy
        </button>
        <button type="button" className="button first" onClick={onClose}>
          I have it
        </button>
      </footer>
    </div>
  );
}

function NewKey({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { is } = useSession();
  const [label, setLabel] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [project, setProject] = useState('');
  const [secret, setSecret] = useState<string>();
  const { run, isRunning, error } = useAction(CREATE_KEY, {
    input: { label: label.trim(), role, project: project.trim() || null },
  });
  if (secret !== undefined) return <Secret secret={secret} onClose={onDone} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run().then((made) => {
      setSecret(made?.createApiKey.secret);
    });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        id="key-label"
        label="Label"
        hint="What it is for, so that somebody knows later."
        required
        maxLength={200}
        value={label}
        onChange={setLabel}
      />
      <Field id="key-role" label="Role">
        <Select
          id="key-role"
          value={role}
          choices={ROLES.filter(is)}
          textOf={wordsOf}
          onChange={(chosen) => {
            if (chosen !== '') setRole(chosen);
          }}
        />
      </Field>
      <TextField
        id="key-project"
        label="Project"
        hint="Restricts the key to one project; empty for no restriction."
        value={project}
        onChange={setProject}
      />
      {error && <Fault error={error} />}
      <footer>
        <button type="submit" className="button first" disabled={isRunning}>
          Create the key
        </button>
      </footer>
    </form>
  );
}

function Revoke({ of, onDone }: { readonly of: Key; readonly onDone: () => void }): ReactNode {
  const { isOpen, open, close } = useOpen();
  const action = useAction(REVOKE_KEY, { id: of.id });
  return (
    <>
      <button type="button" className="button danger" onClick={open}>
        Revoke<span className="visually-hidden"> {of.label}</span>
      </button>
      <Confirm
        title="Revoke this key?"
        action="Revoke it"
        isOpen={isOpen}
        of={action}
        onClose={close}
        onDone={() => {
          close();
          onDone();
        }}
      >
        <p>
          <strong>
            <Given text={of.label} />
          </strong>{' '}
          of <bdi>{of.owner}</bdi>: whatever uses it is refused from then on, and sessions that it opened end.
          It cannot be taken back.
        </p>
      </Confirm>
    </>
  );
}

const KeyTable = ({
  keys,
  onDone,
}: {
  readonly keys: readonly Key[];
  readonly onDone: () => void;
}): ReactNode => (
  <Table
    label="API keys"
    rows={keys}
    keyOf={({ id }) => id}
    columns={[
      { key: 'label', title: 'label', cell: ({ label }) => <Given text={label} most={120} /> },
      { key: 'state', title: 'state', cell: (key) => <Status of={stateOf(key)} /> },
      { key: 'role', title: 'role', cell: ({ role }) => wordsOf(role) },
      { key: 'project', title: 'project', cell: ({ project }) => <Given text={project ?? 'all'} /> },
      { key: 'owner', title: 'owner', cell: ({ owner }) => <bdi>{owner}</bdi> },
      { key: 'created', title: 'created', cell: ({ createdAt }) => <Instant iso={createdAt} /> },
      {
        key: 'used',
        title: 'last used',
        cell: ({ lastUsedAt }) =>
          lastUsedAt === null ? <span className="quiet">never</span> : agoText(lastUsedAt),
      },
      {
        key: 'revoke',
        title: <span className="visually-hidden">Revoke</span>,
        cell: (key) =>
          stateOf(key) === 'active' ? (
            <InPresent>
              <Revoke of={key} onDone={onDone} />
            </InPresent>
          ) : null,
      },
    ]}
  />
);

export function Keys(): ReactNode {
  const { is } = useSession();
  const { params, set } = useAddress();
  const isOpen = useIsPresent() && params.has('new');
  const show = (isShown: boolean): void => {
    set({ new: isShown ? '1' : undefined }, { replace: true });
  };
  const cursor = params.get('cursor');
  const answer = useQuery(KEYS, { all: is('admin'), cursor });
  const end = (): void => {
    show(false);
    answer.reload();
  };
  return (
    <div className="stack">
      <div className="row apart">
        <p className="quiet">Programs identify themselves with a key. Its secret is shown once.</p>
        <InPresent>
          <button
            type="button"
            className="button first"
            onClick={() => {
              show(true);
            }}
          >
            <Icon name="plus" /> New key
          </button>
        </InPresent>
      </div>
      <Dialog title="New API key" isOpen={isOpen} onClose={end}>
        <NewKey onDone={end} />
      </Dialog>
      <ShownPage
        answer={answer}
        what="the keys"
        pageOf={({ apiKeys: { keys, nextCursor } }) => ({ rows: keys, nextCursor })}
        empty={<Empty title="There is no key" />}
      >
        {(keys) => <KeyTable keys={keys} onDone={answer.reload} />}
      </ShownPage>
    </div>
  );
}
