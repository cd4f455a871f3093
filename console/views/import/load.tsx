// Loads the rows that the check accepted, in parts, and keeps those that are refused for a file.
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from '../../address/address.tsx';
import { ask } from '../../api/client.ts';
import { operation, requestOf } from '../../api/operation.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import { useSession } from '../../frame/session.tsx';
import type { LoadSheetMutation, LoadSheetMutationVariables } from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { digestAfter, digestOf, PART } from '../../parts/row-digest.ts';
import {
  beginLoad,
  forgetLoad,
  type LoadTask,
  type SheetLoad,
  useSheetLoad,
} from '../../parts/sheet-load.ts';
import { Fault } from '../../parts/states.tsx';
import { numberText, plural } from '../../parts/text.ts';
import { forgetToldLoad, isUnderWay, type ToldLoad, useToldLoads } from '../../parts/told-loads.ts';
import { Given } from '../../parts/value.tsx';
import { Download } from './download.tsx';
import type { Outcome } from './check.ts';
import { cellText, csvText, type Made, type Sheet } from './sheet.ts';

const LOAD = operation<LoadSheetMutation, LoadSheetMutationVariables>(/* GraphQL */ `
  mutation LoadSheet($entities: [IngestedEntity!]!, $context: ProvenanceContext) {
    ingestEntities(entities: $entities, context: $context) {
      created
      updated
      unchanged
      errors {
        index
        message
      }
    }
  }
`);

/** Rows of the shown request. */
const SHOWN = 3;

interface Item {
  /** The row of the sheet. */
  readonly at: number;
  readonly made: Made;
}

function sending(items: readonly Item[], reason: string): LoadTask['send'] {
  const context = reason.trim() === '' ? null : { notes: reason.trim() };
  return async (before, signal, onPart) => {
    let { digest } = before;
    for (let from = before.done; from < items.length && !signal.aborted; from += PART) {
      const part = items.slice(from, from + PART);
      const entities = part.map(({ made }) => made);
      digest = await digestAfter(digest, entities);
      // what has been sent is not called back: its answer is waited for
      const { ingestEntities: told } = await ask(LOAD, { entities, context });
      onPart({
        digest,
        rows: part.length,
        created: told.created,
        updated: told.updated,
        unchanged: told.unchanged,
        refused: told.errors.map(({ index, message }) => [part[index]?.at ?? -1, message] as const),
      });
    }
  };
}

interface Props {
  readonly sheet: Sheet;
  readonly type: string;
  readonly entities: readonly Made[];
  readonly outcomes: readonly Outcome[];
  /** Whether rows were corrected since the check. */
  readonly isStale: boolean;
}

/** The rows that were not written, with their reasons, to be corrected and imported again. */
function rejectsText(sheet: Sheet, reasons: ReadonlyMap<number, string>): string {
  return csvText([
    [...sheet.columns, 'cairn:reason'],
    ...[...reasons]
      .toSorted(([a], [b]) => a - b)
      .map(([at, reason]) => [...(sheet.rows[at]?.cells ?? []).map(cellText), reason]),
  ]);
}

const reasonsOf = (outcomes: readonly Outcome[]): readonly (readonly [number, string])[] =>
  outcomes.flatMap(({ becomes, faults }, at) =>
    becomes === 'refused' ? [[at, faults.map(({ message }) => message).join('; ')] as const] : [],
  );

/** The load of this tab: while it goes on, and how it ended. */
export function Loaded({
  load: {
    task,
    progress: { done, digest, created, updated, unchanged, refused, error, isRunning },
    stop,
  },
}: {
  readonly load: SheetLoad;
}): ReactNode {
  const { count, type, sheetName } = task;
  const end = done < count ? 'Stopped. ' : 'Done. ';
  return (
    <section className="card stack" aria-label="Import">
      <label htmlFor="import-progress">
        {isRunning ? 'Loading' : 'Loaded'} {numberText(done)} of {plural(count, 'row')} of{' '}
        <Given text={sheetName} most={60} />
      </label>
      <progress id="import-progress" max={count} value={done} />
      {error && <Fault error={error} />}
      <p role="status">
        {isRunning ? '' : end}
        {numberText(created)} created, {numberText(updated)} updated, {numberText(unchanged)} unchanged,{' '}
        {numberText(refused.size)} refused.
      </p>
      {isRunning && (
        <p className="quiet small">
          It goes on in this tab, whichever view you look at, and ends with the tab; other tabs say how far it
          is. What has been loaded stays, and with the same sheet it goes on from there.
        </p>
      )}
      <div className="row">
        {isRunning ? (
          <button type="button" className="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <>
            <Link to="entities" params={{ type, sort: '-updatedAt' }} className="button first">
              Look at the entities
            </Link>
            {refused.size > 0 && (
              <Download name="refused.csv" text={() => task.rejectsText(refused)}>
                Download the refused rows
              </Download>
            )}
            {done < count && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  beginLoad({ ...task, before: { done, digest }, refused });
                }}
              >
                Go on
              </button>
            )}
            <button type="button" className="button" onClick={forgetLoad}>
              Close
            </button>
          </>
        )}
      </div>
    </section>
  );
}

/** An earlier load of the same rows, which did not reach its end. */
function useBegun(items: readonly Item[], type: string): ToldLoad | undefined {
  const { actor } = useSession();
  const told = useToldLoads();
  const [found, setFound] = useState<ToldLoad>();
  const candidates = told.filter(
    (load) => load.actor === actor && load.type === type && load.count === items.length && !isUnderWay(load),
  );
  useEffect(() => {
    let isGone = false;
    const look = async (): Promise<void> => {
      for (const load of candidates) {
        const digest = await digestOf(items.slice(0, load.done).map(({ made }) => made));
        if (isGone) return;
        if (digest !== undefined && digest === load.digest) {
          setFound(load);
          return;
        }
      }
      setFound(undefined);
    };
    void look();
    return () => {
      isGone = true;
    };
    // the ids stand for the loads, the rows are those of the check
  }, [items, candidates.map(({ id }) => id).join(' ')]);
  return found;
}

const Begun = ({ load: { done, count, hasIds } }: { readonly load: ToldLoad }): ReactNode => (
  <p className="notice" role="status">
    <span>
      The first {numberText(done)} of these {plural(count, 'row')} were loaded before: the load goes on after
      them.
      {!hasIds && ' The rows of its last request may be there as well: they have no ids to tell.'}
    </span>
  </p>
);

export function Load({ sheet, type, entities, outcomes, isStale }: Props): ReactNode {
  const { actor } = useSession();
  const [reason, setReason] = useState('');
  const isBusy = useSheetLoad()?.progress.isRunning === true;
  const items = useMemo(
    () => entities.flatMap((made, at) => (outcomes[at]?.becomes === 'refused' ? [] : [{ at, made }])),
    [entities, outcomes],
  );
  const begun = useBegun(items, type);
  const left = items.length - (begun?.done ?? 0);
  useShownRequest(
    items.length === 0
      ? undefined
      : requestOf(LOAD, { entities: items.slice(0, SHOWN).map(({ made }) => made), context: null }),
  );
  const refused = outcomes.length - items.length;
  return (
    <form
      className="card form"
      aria-label="Import"
      onSubmit={(event) => {
        event.preventDefault();
        if (begun !== undefined) forgetToldLoad(begun.id);
        beginLoad({
          actor,
          sheetName: sheet.name,
          type,
          count: items.length,
          before: { done: begun?.done ?? 0, digest: begun?.digest },
          hasIds: items.every(({ made }) => made.id !== undefined),
          refused: new Map(reasonsOf(outcomes)),
          send: sending(items, reason),
          rejectsText: (reasons) => rejectsText(sheet, reasons),
        });
      }}
    >
      {begun && <Begun load={begun} />}
      <TextField
        id="import-reason"
        label="Reason"
        hint="Kept with each change in the histories."
        value={reason}
        onChange={setReason}
      />
      <footer className="row">
        <button type="submit" className="button first" disabled={isStale || isBusy || items.length === 0}>
          {begun === undefined ? `Load ${plural(left, 'row')}` : `Load the other ${plural(left, 'row')}`}
        </button>
        {refused > 0 && <span className="quiet">{plural(refused, 'refused row')} stay out.</span>}
        {isStale && <span className="quiet">Check the corrected rows first.</span>}
      </footer>
    </form>
  );
}
