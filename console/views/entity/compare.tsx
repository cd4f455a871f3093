// One entity at two times, or two entities: the fields that differ.
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { EntityDiffQuery, EntityDiffQueryVariables } from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { EntityLink, Instant, Json } from '../../parts/value.tsx';
import { When } from '../../parts/when.tsx';
import { Diff, statesOf } from './diff.tsx';
import type { Entity, EntityType } from './read.ts';

const ENTITY_DIFF = operation<EntityDiffQuery, EntityDiffQueryVariables>(/* GraphQL */ `
  query EntityDiff($id: ID!, $other: ID, $from: DateTime, $to: DateTime) {
    entityDiff(entityId: $id, toEntityId: $other, from: $from, to: $to) {
      before {
        ...Compared
      }
      after {
        ...Compared
      }
      differences {
        field
        kind
        before
        after
      }
      jsonPatch
    }
  }
  fragment Compared on Entity {
    id
    version
    isAvailable
    updatedAt
  }
`);
type EntityDiff = NonNullable<EntityDiffQuery['entityDiff']>;

const State = ({ title, of }: { readonly title: string; readonly of: EntityDiff['before'] }): ReactNode => (
  <>
    <dt>{title}</dt>
    <dd>
      {of === null ? (
        'it did not exist'
      ) : (
        <>
          <EntityLink id={of.id} />, version {of.version}, as changed <Instant iso={of.updatedAt} />{' '}
          {!of.isAvailable && <Status of="unavailable" />}
        </>
      )}
    </dd>
  </>
);

function Differences({
  diff,
  type,
}: {
  readonly diff: EntityDiff;
  readonly type: EntityType | undefined;
}): ReactNode {
  const { differences, before, after, jsonPatch } = diff;
  return (
    <>
      <dl className="facts">
        <State title="Before" of={before} />
        <State title="After" of={after} />
      </dl>
      {differences.length === 0 ? (
        <p className="quiet" role="status">
          No field differs.
        </p>
      ) : (
        <>
          <div className="tablebox" role="region" aria-label="Differences" tabIndex={0}>
            <Diff {...statesOf(differences)} type={type} />
          </div>
          <details>
            <summary>As a JSON Patch</summary>
            <Json value={jsonPatch} />
          </details>
        </>
      )}
    </>
  );
}

function Other({ id }: { readonly id: string }): ReactNode {
  const { set } = useAddress();
  const [typed, setTyped] = useState(id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set({ other: typed.trim() });
  };
  return (
    <form className="split" onSubmit={submit} aria-label="Another entity">
      <TextField
        id="compare-other"
        label="With another entity"
        placeholder="itself"
        value={typed}
        onChange={setTyped}
      />
      <button type="submit" className="button">
        Compare
      </button>
    </form>
  );
}

export function Compare({
  entity,
  type,
}: {
  readonly entity: Entity;
  readonly type: EntityType | undefined;
}): ReactNode {
  const { at, params, set } = useAddress();
  const other = params.get('other') ?? undefined;
  // two entities are compared as they are; one with what it was at first
  const from = params.get('from') ?? (other === undefined ? entity.createdAt : at);
  const to = params.get('to') ?? at;
  const answer = useQuery(
    ENTITY_DIFF,
    { id: entity.id, other: other ?? null, from: from ?? null, to: to ?? null },
    { of: `${from} ${to}` },
  );
  const choose = (name: string) => (iso: string | undefined) => {
    set({ [name]: iso }, { replace: true });
  };
  return (
    <div className="stack">
      <Other key={other} id={other ?? ''} />
      <div className="columns">
        <When
          id="compare-from"
          label={from === undefined ? 'Before (the present)' : 'Before'}
          iso={from}
          onChoose={choose('from')}
        />
        <When
          id="compare-to"
          label={to === undefined ? 'After (the present)' : 'After'}
          iso={to}
          onChoose={choose('to')}
        />
      </div>
      <Shown answer={answer} what="both states">
        {({ entityDiff: diff }) =>
          diff === null ? (
            <Empty title="There was neither state">
              <p>Or they belong to a project that you are not a member of.</p>
            </Empty>
          ) : (
            <Differences diff={diff} type={type} />
          )
        }
      </Shown>
    </div>
  );
}
