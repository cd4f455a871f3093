// The artifact store: what is in it, what an eviction would take, and whether its files are what they were.
import { type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useAction, useQuery } from '../../api/use-api.ts';
import { InPresent } from '../../frame/in-present.tsx';
import type {
  EvictMutation,
  EvictMutationVariables,
  StoreUsageQuery,
  StoreUsageQueryVariables,
} from '../../generated/api.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { Confirm, useOpen } from '../../parts/overlays.tsx';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { numberText, plural, sizeText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { Verification } from './verification.tsx';

const STORE_USAGE = operation<StoreUsageQuery, StoreUsageQueryVariables>(/* GraphQL */ `
  query StoreUsage($olderThan: String, $type: String) {
    storeUsage(olderThan: $olderThan, entityType: $type) {
      stored {
        files
        bytes
      }
      evictable {
        files
        bytes
      }
      uploaded {
        files
        bytes
      }
      held {
        files
        bytes
      }
      evicted {
        files
        bytes
      }
      byType {
        entityType
        files
        bytes
      }
    }
  }
`);
const EVICT = operation<EvictMutation, EvictMutationVariables>(/* GraphQL */ `
  mutation Evict($olderThan: String, $type: String, $all: Boolean!) {
    evictFiles(olderThan: $olderThan, entityType: $type, all: $all) {
      evicted
      bytes
      leftTotal
      left {
        hash
        size
        reason
      }
    }
  }
`);
type Usage = StoreUsageQuery['storeUsage'];
type Part = Usage['stored'];

/** Times without use, as the API writes them. */
const AGES = { '1d': 'a day', '7d': 'a week', '30d': '30 days', '90d': '90 days', '365d': 'a year' } as const;
// keys of a constant are its own
const AGE_NAMES = Object.keys(AGES) as (keyof typeof AGES)[];

const partText = ({ files, bytes }: Part): string => `${plural(files, 'file')}, ${sizeText(bytes)}`;

const Parts = ({ of }: { readonly of: Usage }): ReactNode => (
  <dl className="facts">
    <dt>stored</dt>
    <dd>{partText(of.stored)}</dd>
    <dt>uploaded</dt>
    <dd>
      {partText(of.uploaded)} <span className="quiet">(only evicted one by one)</span>
    </dd>
    <dt>held by productions</dt>
    <dd>{partText(of.held)}</dd>
    <dt>evicted before</dt>
    <dd>{partText(of.evicted)}</dd>
  </dl>
);

const Types = ({ of }: { readonly of: Usage }): ReactNode =>
  of.byType.length === 0 ? null : (
    <Table
      label="Files by type"
      rows={of.byType}
      keyOf={({ entityType }) => entityType}
      columns={[
        {
          key: 'type',
          title: 'type',
          cell: ({ entityType }) => <Given text={entityType === '' ? 'unknown' : entityType} />,
        },
        { key: 'files', title: 'files', isNumber: true, cell: ({ files }) => numberText(files) },
        { key: 'bytes', title: 'size', isNumber: true, cell: ({ bytes }) => sizeText(bytes) },
      ]}
    />
  );

const Outcome = ({
  of: { evicted, bytes, leftTotal, left },
}: {
  readonly of: EvictMutation['evictFiles'];
}): ReactNode => (
  <div role="status" className="stack">
    <p>
      {plural(evicted, 'file')} evicted, {sizeText(bytes)}.
      {leftTotal > 0 && ` ${plural(leftTotal, 'file')} stayed.`}
    </p>
    {left.length > 0 && (
      <Table
        label="Files that stayed"
        rows={left}
        keyOf={({ hash }) => hash}
        columns={[
          { key: 'hash', title: 'file', cell: ({ hash }) => <code>{hash.slice(0, 23)}…</code> },
          { key: 'size', title: 'size', isNumber: true, cell: ({ size }) => sizeText(size) },
          { key: 'why', title: 'because', cell: ({ reason }) => <Given text={reason} most={500} /> },
        ]}
      />
    )}
  </div>
);

interface Selected {
  readonly olderThan: string | null;
  readonly type: string | null;
}

function Evict({
  of,
  selected,
  onDone,
}: {
  readonly of: Part;
  readonly selected: Selected;
  readonly onDone: (outcome: EvictMutation['evictFiles']) => void;
}): ReactNode {
  const { isOpen, open, close } = useOpen();
  const action = useAction(EVICT, {
    ...selected,
    all: selected.olderThan === null && selected.type === null,
  });
  return (
    <>
      <button type="button" className="button danger" disabled={of.files === 0} onClick={open}>
        Evict …
      </button>
      <Confirm
        title="Evict these files?"
        action={action.isRunning ? 'Evicting …' : 'Evict them'}
        isOpen={isOpen}
        of={action}
        onClose={close}
        onDone={({ evictFiles }) => {
          close();
          onDone(evictFiles);
        }}
      >
        <p>
          {partText(of)}. Their entities stay, become unavailable, and are made again when somebody asks for
          them.
        </p>
      </Confirm>
    </>
  );
}

function Eviction({
  usage,
  selected,
  onEvicted,
}: {
  readonly usage: Usage;
  readonly selected: Selected;
  readonly onEvicted: () => void;
}): ReactNode {
  const { set } = useAddress();
  const [outcome, setOutcome] = useState<EvictMutation['evictFiles']>();
  return (
    <section className="card stack" aria-labelledby="eviction">
      <h2 id="eviction">Eviction</h2>
      <div className="row">
        <LabelledSelect
          id="evict-age"
          label="Not used for"
          value={selected.olderThan ?? ''}
          none="any time"
          choices={AGE_NAMES}
          textOf={(age) => AGES[age]}
          onChange={(unused) => {
            set({ unused });
          }}
        />
        <LabelledSelect
          id="evict-type"
          label="of type"
          value={selected.type ?? ''}
          none="any"
          choices={usage.byType.map(({ entityType }) => entityType).filter((name) => name !== '')}
          onChange={(of) => {
            set({ of });
          }}
        />
      </div>
      <div className="row apart">
        <p>
          It would take <strong>{partText(usage.evictable)}</strong>.
        </p>
        <InPresent>
          <Evict
            of={usage.evictable}
            selected={selected}
            onDone={(done) => {
              setOutcome(done);
              onEvicted();
            }}
          />
        </InPresent>
      </div>
      {outcome && <Outcome of={outcome} />}
    </section>
  );
}

export function Store(): ReactNode {
  const { params } = useAddress();
  const selected = { olderThan: params.get('unused'), type: params.get('of') };
  const answer = useQuery(STORE_USAGE, selected);
  return (
    <Shown answer={answer} what="the usage of the store">
      {({ storeUsage: usage }) => (
        <div className="stack">
          <Parts of={usage} />
          <Types of={usage} />
          <Eviction usage={usage} selected={selected} onEvicted={answer.reload} />
          <Verification files={usage.stored.files} />
        </div>
      )}
    </Shown>
  );
}
