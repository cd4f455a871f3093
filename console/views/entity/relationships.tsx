// What an entity is related to, in both directions; new relationships by id.
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import { useSession } from '../../frame/session.tsx';
import type {
  RelateMutation,
  RelateMutationVariables,
  RelationshipsQuery,
  RelationshipsQueryVariables,
} from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { NextStep } from '../../parts/page-steps.tsx';
import { Empty, Fault, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { EntityLink, Given, Instant } from '../../parts/value.tsx';

const RELATIONSHIPS = operation<RelationshipsQuery, RelationshipsQueryVariables>(/* GraphQL */ `
  query Relationships($id: ID!, $at: DateTime, $cursor: String) {
    findRelationships(entityId: $id, asOf: $at, cursor: $cursor, limit: 50) {
      nextCursor
      items {
        id
        relationshipType
        sourceEntityId
        targetEntityId
        createdAt
        createdBy
      }
    }
  }
`);
const RELATE = operation<RelateMutation, RelateMutationVariables>(/* GraphQL */ `
  mutation Relate($source: ID!, $type: String!, $target: ID!) {
    relate(sourceId: $source, relationshipType: $type, targetId: $target) {
      id
    }
  }
`);

function Relate({ id, onDone }: { readonly id: string; readonly onDone: () => void }): ReactNode {
  const [type, setType] = useState('');
  const [target, setTarget] = useState('');
  const { run, isRunning, error } = useAction(RELATE, {
    source: id,
    type: type.trim(),
    target: target.trim(),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run().then((done) => {
      if (!done) return;
      setType('');
      setTarget('');
      onDone();
    });
  };
  return (
    <form className="card" onSubmit={submit} aria-label="New relationship">
      <div className="columns">
        <TextField
          id="relationship-type"
          label="Relationship"
          required
          placeholder="derived_from"
          value={type}
          onChange={setType}
        />
        <TextField
          id="relationship-target"
          label="id of the other entity"
          required
          value={target}
          onChange={setTarget}
        />
      </div>
      {error && <Fault error={error} />}
      <div>
        <button type="submit" className="button" disabled={isRunning}>
          Relate
        </button>
      </div>
    </form>
  );
}

export function Relationships({ id }: { readonly id: string }): ReactNode {
  const { at = null, params, set } = useAddress();
  const { is } = useSession();
  const answer = useQuery(RELATIONSHIPS, { id, at, cursor: params.get('cursor') });
  return (
    <div className="stack">
      <Shown answer={answer} what="relationships">
        {({ findRelationships: { items, nextCursor } }) =>
          items.length === 0 ? (
            <Empty title="It is related to nothing">
              <p>References of its fields are links among its fields; relationships are beside them.</p>
            </Empty>
          ) : (
            <>
              <Table
                label="Relationships"
                rows={items}
                keyOf={(one) => one.id}
                isStale={answer.isLoading}
                columns={[
                  {
                    key: 'source',
                    title: 'from',
                    cell: (one) =>
                      one.sourceEntityId === id ? 'this' : <EntityLink id={one.sourceEntityId} />,
                  },
                  {
                    key: 'type',
                    title: 'relationship',
                    cell: (one) => <Given text={one.relationshipType} />,
                  },
                  {
                    key: 'target',
                    title: 'to',
                    cell: (one) =>
                      one.targetEntityId === id ? 'this' : <EntityLink id={one.targetEntityId} />,
                  },
                  { key: 'by', title: 'by', cell: (one) => <bdi>{one.createdBy}</bdi> },
                  { key: 'at', title: 'since', cell: (one) => <Instant iso={one.createdAt} /> },
                ]}
              />
              <NextStep
                cursor={nextCursor}
                onNext={(cursor) => {
                  set({ cursor });
                }}
              />
            </>
          )
        }
      </Shown>
      {is('analyst') && at === null && <Relate id={id} onDone={answer.reload} />}
    </div>
  );
}
