// Loads the rows that the check accepted, in parts, and keeps those that are refused for a file.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from '../../address/address.tsx';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { ask } from '../../api/client.ts';
import { operation, requestOf } from '../../api/operation.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import type { LoadSheetMutation, LoadSheetMutationVariables } from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Fault } from '../../parts/states.tsx';
import { numberText, plural } from '../../parts/text.ts';
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

/** Rows of a request: few enough that the progress moves. */
const PART = 500;
/** Rows of the shown request. */
const SHOWN = 3;

interface Progress {
  readonly done: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** By row of the sheet. */
  readonly refused: ReadonlyMap<number, string>;
  readonly isRunning: boolean;
  readonly error: ApiError | undefined;
}

const BEGIN: Progress = {
  done: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: new Map(),
  isRunning: true,
  error: undefined,
};

interface Item {
  /** The row of the sheet. */
  readonly at: number;
  readonly made: Made;
}

async function loadAll(
  items: readonly Item[],
  reason: string,
  signal: AbortSignal,
  onPart: (change: (before: Progress) => Progress) => void,
): Promise<void> {
  const context = reason.trim() === '' ? null : { notes: reason.trim() };
  for (let from = 0; from < items.length && !signal.aborted; from += PART) {
    const part = items.slice(from, from + PART);
    // what has been sent is not called back: its answer is waited for
    const { ingestEntities: told } = await ask(LOAD, { entities: part.map(({ made }) => made), context });
    onPart((before) => ({
      ...before,
      done: before.done + part.length,
      created: before.created + told.created,
      updated: before.updated + told.updated,
      unchanged: before.unchanged + told.unchanged,
      refused: new Map([
        ...before.refused,
        ...told.errors.map(({ index, message }) => [part[index]?.at ?? -1, message] as const),
      ]),
    }));
  }
}

/** Asks before the page is left while it loads. */
function useStay(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return undefined;
    const stay = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    addEventListener('beforeunload', stay);
    return () => {
      removeEventListener('beforeunload', stay);
    };
  }, [isRunning]);
}

interface Props {
  readonly sheet: Sheet;
  readonly type: string;
  readonly entities: readonly Made[];
  readonly outcomes: readonly Outcome[];
  /** Whether rows were corrected since the check. */
  readonly isStale: boolean;
  readonly onLoading: (isLoading: boolean) => void;
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

interface Loading {
  readonly progress: Progress | undefined;
  readonly begin: (reason: string) => void;
  readonly stop: () => void;
}

function useLoading(items: readonly Item[], onLoading: (isLoading: boolean) => void): Loading {
  const [progress, setProgress] = useState<Progress>();
  const under = useRef<AbortController>();
  useStay(progress?.isRunning === true);
  useShownRequest(
    items.length === 0
      ? undefined
      : requestOf(LOAD, { entities: items.slice(0, SHOWN).map(({ made }) => made), context: null }),
  );
  const end = (error: ApiError | undefined): void => {
    setProgress((before) => before && { ...before, isRunning: false, error });
  };
  const begin = (reason: string): void => {
    const gone = new AbortController();
    under.current = gone;
    setProgress(BEGIN);
    onLoading(true);
    loadAll(items, reason, gone.signal, (change) => {
      setProgress((before) => before && change(before));
    }).then(
      () => {
        end(undefined);
      },
      (thrown: unknown) => {
        end(asApiError(thrown));
      },
    );
  };
  return {
    progress,
    begin,
    stop: () => {
      under.current?.abort();
    },
  };
}

function Begun({
  progress: { done, created, updated, unchanged, refused, error, isRunning },
  count,
  props: { sheet, type, outcomes },
  onStop,
  onAgain,
}: {
  readonly progress: Progress;
  readonly count: number;
  readonly props: Props;
  readonly onStop: () => void;
  readonly onAgain: () => void;
}): ReactNode {
  const reasons = new Map([...reasonsOf(outcomes), ...refused]);
  const end = done < count ? 'Stopped. ' : 'Done. ';
  return (
    <section className="card stack" aria-label="Import">
      <label htmlFor="import-progress">
        {isRunning ? 'Loading' : 'Loaded'} {numberText(done)} of {plural(count, 'row')}
      </label>
      <progress id="import-progress" max={count} value={done} />
      {error && <Fault error={error} />}
      <p role="status">
        {isRunning ? '' : end}
        {numberText(created)} created, {numberText(updated)} updated, {numberText(unchanged)} unchanged,{' '}
        {numberText(reasons.size)} refused.
      </p>
      <div className="row">
        {isRunning ? (
          <button type="button" className="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <>
            <Link to="entities" params={{ type, sort: '-updatedAt' }} className="button first">
              Look at the entities
            </Link>
            {reasons.size > 0 && (
              <Download name="refused.csv" text={() => rejectsText(sheet, reasons)}>
                Download the refused rows
              </Download>
            )}
            {done < count && (
              <button type="button" className="button" onClick={onAgain}>
                Load again
              </button>
            )}
          </>
        )}
      </div>
    </section>
  );
}

export function Load(props: Props): ReactNode {
  const { entities, outcomes, isStale, onLoading } = props;
  const [reason, setReason] = useState('');
  const items = entities.flatMap((made, at) => (outcomes[at]?.becomes === 'refused' ? [] : [{ at, made }]));
  const { progress, begin, stop } = useLoading(items, onLoading);
  if (progress !== undefined)
    return (
      <Begun
        progress={progress}
        count={items.length}
        props={props}
        onStop={stop}
        onAgain={() => {
          begin(reason);
        }}
      />
    );
  const refused = outcomes.length - items.length;
  return (
    <form
      className="card form"
      aria-label="Import"
      onSubmit={(event) => {
        event.preventDefault();
        begin(reason);
      }}
    >
      <TextField
        id="import-reason"
        label="Reason"
        hint="Kept with each change in the histories."
        value={reason}
        onChange={setReason}
      />
      <footer className="row">
        <button type="submit" className="button first" disabled={isStale || items.length === 0}>
          Load {plural(items.length, 'row')}
        </button>
        {refused > 0 && <span className="quiet">{plural(refused, 'refused row')} stay out.</span>}
        {isStale && <span className="quiet">Check the corrected rows first.</span>}
      </footer>
    </form>
  );
}
