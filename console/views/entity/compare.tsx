// One entity at two times: the fields that differ.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { CompareQuery, CompareQueryVariables } from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Status } from '../../parts/status.tsx';
import { Shown } from '../../parts/states.tsx';
import { localText } from '../../parts/text.ts';
import { Instant } from '../../parts/value.tsx';
import { Diff, differingNames } from './diff.tsx';
import { dataOf, type Entity, type EntityType } from './read.ts';

const COMPARE = operation<CompareQuery, CompareQueryVariables>(/* GraphQL */ `
  query Compare($id: ID!, $from: DateTime!, $to: DateTime) {
    before: entity(id: $id, asOf: $from) {
      ...Compared
    }
    after: entity(id: $id, asOf: $to) {
      ...Compared
    }
  }
  fragment Compared on Entity {
    version
    isAvailable
    updatedAt
    data
  }
`);
type Compared = NonNullable<CompareQuery['before']>;

function When({
  id,
  label,
  iso,
  onChoose,
}: {
  readonly id: string;
  readonly label: string;
  readonly iso: string | undefined;
  readonly onChoose: (iso: string | undefined) => void;
}): ReactNode {
  return (
    <TextField
      id={id}
      label={label}
      type="datetime-local"
      step="1"
      value={iso === undefined ? '' : localText(iso)}
      onChange={(typed) => {
        onChoose(Number.isNaN(Date.parse(typed)) ? undefined : new Date(typed).toISOString());
      }}
    />
  );
}

const State = ({ title, of }: { readonly title: string; readonly of: Compared | null }): ReactNode => (
  <>
    <dt>{title}</dt>
    <dd>
      {of === null ? (
        'it did not exist'
      ) : (
        <>
          version {of.version}, as changed <Instant iso={of.updatedAt} />{' '}
          {!of.isAvailable && <Status of="unavailable" />}
        </>
      )}
    </dd>
  </>
);

function Differences({
  before,
  after,
  type,
}: CompareQuery & { readonly type: EntityType | undefined }): ReactNode {
  const [old, fresh] = [before ? dataOf(before) : {}, after ? dataOf(after) : {}];
  const names = differingNames(old, fresh, type);
  return (
    <>
      <dl className="facts">
        <State title="Before" of={before} />
        <State title="After" of={after} />
      </dl>
      {names.length === 0 ? (
        <p className="quiet" role="status">
          No field differs.
        </p>
      ) : (
        <div className="tablebox" role="region" aria-label="Differences" tabIndex={0}>
          <Diff names={names} before={old} after={fresh} type={type} />
        </div>
      )}
    </>
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
  const from = params.get('from') ?? entity.createdAt;
  const to = params.get('to') ?? at;
  const answer = useQuery(COMPARE, { id: entity.id, from, to: to ?? null });
  return (
    <div className="stack">
      <div className="columns">
        <When
          id="compare-from"
          label="Before"
          iso={from}
          onChoose={(iso) => {
            set({ from: iso }, { replace: true });
          }}
        />
        <When
          id="compare-to"
          label={to === undefined ? 'After (the present)' : 'After'}
          iso={to}
          onChoose={(iso) => {
            set({ to: iso }, { replace: true });
          }}
        />
      </div>
      <Shown answer={answer} what="both states">
        {({ before, after }) => <Differences before={before} after={after} type={type} />}
      </Shown>
    </div>
  );
}
