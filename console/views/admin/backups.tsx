// The backups of the instance: how old the last one is, what became of each, and how one is made.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { BackupsQuery, BackupsQueryVariables } from '../../generated/api.ts';
import { isOldBackup } from '../../parts/backup-age.ts';
import { ShownPage } from '../../parts/page-steps.tsx';
import { Empty } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { agoText, durationText, plural, sizeText } from '../../parts/text.ts';
import { Given, Instant } from '../../parts/value.tsx';

const BACKUPS = operation<BackupsQuery, BackupsQueryVariables>(/* GraphQL */ `
  query Backups($cursor: String) {
    backups(limit: 50, cursor: $cursor) {
      nextCursor
      lastCompletedAt
      archive {
        status
        archivedUntil
        position
        reason
      }
      backups {
        id
        kind
        destination
        encrypted
        host
        actor
        status
        error
        bytes
        position
        lostFiles
        startedAt
        finishedAt
        restoredAt
      }
    }
  }
`);
type Page = BackupsQuery['backups'];
type Backup = Page['backups'][number];

const Ago = ({ iso }: { readonly iso: string }): ReactNode => (
  <>
    {agoText(iso)} <span className="quiet">({<Instant iso={iso} />})</span>
  </>
);

const Last = ({ of: { lastCompletedAt: last, archive } }: { readonly of: Page }): ReactNode => (
  <dl className="facts">
    <dt>last backup</dt>
    <dd>
      {last === null ? (
        <>
          <span className="tag warn">none</span> No backup of this instance has completed.
        </>
      ) : (
        <>
          <span className={`tag ${isOldBackup(last) ? 'warn' : 'good'}`}>
            {isOldBackup(last) ? 'old' : 'recent'}
          </span>{' '}
          <Ago iso={last} />
        </>
      )}
    </dd>
    <dt>archive of the log</dt>
    <dd>
      {archive === null ? (
        <span className="quiet">
          none: <code>database.archive</code> is not configured
        </span>
      ) : (
        <>
          <Status of={archive.status} />{' '}
          {archive.archivedUntil !== null && (
            <>
              any moment until <Ago iso={archive.archivedUntil} />, position {archive.position}
            </>
          )}
          {archive.reason !== null && (
            <>
              {' '}
              <Given text={archive.reason} most={400} />
            </>
          )}
        </>
      )}
    </dd>
  </dl>
);

const How = (): ReactNode => (
  <section className="card stack" aria-labelledby="how-to-back-up">
    <h2 id="how-to-back-up">How one is made, and restored</h2>
    <p>
      On a machine with the configuration of this instance, beside running servers, for instance each night:
    </p>
    <pre className="code" tabIndex={0}>
      <code>{`cairn backup --encrypt /mnt/backups    # or s3://bucket/prefix
cairn backup verify /mnt/backups
cairn restore /mnt/backups             # into an empty database and store`}</code>
    </pre>
    <p className="quiet">
      <code>CAIRN_BACKUP_PASSPHRASE</code> has the passphrase. Try a restore before you need one:{' '}
      <code>docs/reference/backups.md</code>.
    </p>
  </section>
);

const State = ({ of: { status, error, lostFiles, restoredAt } }: { readonly of: Backup }): ReactNode => (
  <>
    <Status of={status} />
    {lostFiles !== null && lostFiles > 0 && (
      <>
        {' '}
        <span className="tag warn">{plural(lostFiles, 'file')} lost</span>
      </>
    )}
    {restoredAt !== null && (
      <div>
        this instance was restored from it on <Instant iso={restoredAt} />
      </div>
    )}
    {error !== null && (
      <div>
        <Given text={error} most={400} />
      </div>
    )}
  </>
);

const Made = ({
  rows,
  isStale,
}: {
  readonly rows: readonly Backup[];
  readonly isStale: boolean;
}): ReactNode => (
  <Table
    label="Backups"
    rows={rows}
    isStale={isStale}
    keyOf={({ id }) => id}
    columns={[
      {
        key: 'begun',
        title: 'begun',
        cell: ({ id, startedAt }) => (
          <>
            <Instant iso={startedAt} />
            <div className="small quiet">
              <code>{id}</code>
            </div>
          </>
        ),
      },
      { key: 'state', title: 'state', cell: (row) => <State of={row} /> },
      {
        key: 'took',
        title: 'took',
        isNumber: true,
        cell: ({ startedAt, finishedAt, status }) =>
          (finishedAt !== null || status === 'running') && durationText(startedAt, finishedAt),
      },
      { key: 'size', title: 'size', isNumber: true, cell: ({ bytes }) => bytes !== null && sizeText(bytes) },
      { key: 'position', title: 'position', isNumber: true, cell: ({ position }) => position },
      {
        key: 'place',
        title: 'place',
        cell: ({ kind, destination, encrypted }) => (
          <>
            <Given text={destination} most={200} />{' '}
            <span className="quiet">
              ({kind}, {encrypted ? 'encrypted' : 'not encrypted'})
            </span>
          </>
        ),
      },
      {
        key: 'by',
        title: 'by',
        cell: ({ actor, host }) => (
          <>
            <Given text={actor} most={80} /> <span className="quiet">on</span> <Given text={host} most={80} />
          </>
        ),
      },
    ]}
  />
);

export function Backups(): ReactNode {
  const answer = useQuery(BACKUPS, { cursor: useAddress().params.get('cursor') }, { everyMs: 10_000 });
  return (
    <div className="stack">
      {answer.data && <Last of={answer.data.backups} />}
      <ShownPage
        answer={answer}
        what="the backups"
        pageOf={({ backups: { backups: rows, nextCursor } }) => ({ rows, nextCursor })}
        empty={
          <Empty title="No backup was made">
            <p>
              <code>cairn backup</code> saves database and store of one moment, and records that here.
            </p>
          </Empty>
        }
      >
        {(rows) => <Made rows={rows} isStale={answer.isLoading} />}
      </ShownPage>
      <How />
    </div>
  );
}
