// What would become of each row: asked as a dry run, which decides as a load does.
import { useCallback, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { ask } from '../../api/client.ts';
import { isData } from '../../api/json.ts';
import { operation, requestOf } from '../../api/operation.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import type { CheckSheetMutation, CheckSheetMutationVariables } from '../../generated/api.ts';
import type { Made } from './sheet.ts';

const CHECK = operation<CheckSheetMutation, CheckSheetMutationVariables>(/* GraphQL */ `
  mutation CheckSheet($entities: [IngestedEntity!]!) {
    ingestEntities(entities: $entities, dryRun: true) {
      changes
      errors {
        index
        message
        details
      }
    }
  }
`);

/** What is judged together: within, rows see what those before them would do. */
const TOGETHER = 20_000;

export interface RowFault {
  readonly message: string;
  /** The field that it is about; undefined for one that concerns the row. */
  readonly field: string | undefined;
}

export interface Outcome {
  readonly becomes: 'created' | 'updated' | 'unchanged' | 'refused';
  readonly faults: readonly RowFault[];
}

const fieldIn = (value: unknown): string | undefined =>
  isData(value) && typeof value['field'] === 'string' ? value['field'] : undefined;

/** The faults of a refused entity, as docs/reference/metadata.md describes `details`. */
function faultsOf(message: string, details: unknown): readonly RowFault[] {
  const failures = isData(details) ? details['failures'] : undefined;
  if (!Array.isArray(failures)) return [{ message, field: fieldIn(details) }];
  const listed: readonly unknown[] = failures;
  return listed.filter(isData).map((failure) => ({
    message: typeof failure['message'] === 'string' ? failure['message'] : message,
    field: fieldIn(failure['input_context']),
  }));
}

async function outcomesOf(
  entities: readonly Made[],
  signal: AbortSignal,
  onPart: (done: number) => void,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < entities.length; from += TOGETHER) {
    const part = entities.slice(from, from + TOGETHER);
    const { ingestEntities: told } = await ask(CHECK, { entities: part }, signal);
    const faults = new Map(told.errors.map(({ index, ...error }) => [index, error]));
    for (const [i, change] of told.changes.entries()) {
      const error = faults.get(i);
      if (error !== undefined || change === null)
        outcomes.push({ becomes: 'refused', faults: faultsOf(error?.message ?? 'refused', error?.details) });
      else outcomes.push({ becomes: CHANGES[change], faults: [] });
    }
    onPart(outcomes.length);
  }
  return outcomes;
}

const CHANGES = { CREATED: 'created', UPDATED: 'updated', UNCHANGED: 'unchanged' } as const;

export interface Check {
  /** By row; undefined before the first check. */
  readonly outcomes: readonly Outcome[] | undefined;
  /** Rows that have been judged while it goes on. */
  readonly done: number | undefined;
  readonly error: ApiError | undefined;
  readonly run: (entities: readonly Made[]) => void;
  readonly forget: () => void;
}

/** Rows of the shown request: the same in full would be as long as the sheet. */
const SHOWN = 3;

export function useCheck(sample: readonly Made[]): Check {
  const [state, setState] = useState<Pick<Check, 'outcomes' | 'done' | 'error'>>({
    outcomes: undefined,
    done: undefined,
    error: undefined,
  });
  const under = useRef<AbortController>();
  const variables = { entities: sample.slice(0, SHOWN) };
  useShownRequest(sample.length === 0 ? undefined : requestOf(CHECK, variables));
  const run = useCallback((entities: readonly Made[]) => {
    under.current?.abort();
    const gone = new AbortController();
    under.current = gone;
    setState(({ outcomes }) => ({ outcomes, done: 0, error: undefined }));
    outcomesOf(entities, gone.signal, (done) => {
      setState((before) => ({ ...before, done }));
    }).then(
      (outcomes) => {
        if (!gone.signal.aborted) setState({ outcomes, done: undefined, error: undefined });
      },
      (thrown: unknown) => {
        if (!gone.signal.aborted)
          setState({ outcomes: undefined, done: undefined, error: asApiError(thrown) });
      },
    );
  }, []);
  const forget = useCallback(() => {
    under.current?.abort();
    setState({ outcomes: undefined, done: undefined, error: undefined });
  }, []);
  return { ...state, run, forget };
}
