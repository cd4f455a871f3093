// Steps through the pages of a list: with numbers in the address where its length is known, else onward.
import type { ReactNode } from 'react';
import { useAddress } from '../address/address.tsx';
import type { Answer } from '../api/use-api.ts';
import { Shown } from './states.tsx';
import { numberText } from './text.ts';

/** The number of the page in the address, from 1. */
export const pageIn = (params: URLSearchParams): number =>
  Math.max(1, Math.trunc(Number(params.get('page') ?? 1)) || 1);

interface Props {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** How many there are on this page. */
  readonly count: number;
}

export function PageSteps({ page, size, total, count }: Props): ReactNode {
  const { set } = useAddress();
  const from = (page - 1) * size + 1;
  const step = (to: number) => (): void => {
    set({ page: to === 1 ? undefined : String(to), row: undefined });
  };
  return (
    <nav aria-label="Pages" className="row apart">
      <p className="quiet" role="status">
        {numberText(from)} to {numberText(from + count - 1)} of {numberText(total)}
      </p>
      <div className="row">
        <button type="button" className="button" disabled={page === 1} onClick={step(page - 1)}>
          Previous
        </button>
        <button type="button" className="button" disabled={page * size >= total} onClick={step(page + 1)}>
          Next
        </button>
      </div>
    </nav>
  );
}

/** The way to the next page of a list that only goes onward. */
export const NextStep = ({
  cursor,
  onNext,
}: {
  readonly cursor: string | null;
  readonly onNext: (cursor: string) => void;
}): ReactNode =>
  cursor === null ? null : (
    <div>
      <button
        type="button"
        className="button"
        onClick={() => {
          onNext(cursor);
        }}
      >
        Next
      </button>
    </div>
  );

/** One page of a list that only goes onward; its place is the `cursor` in the address. */
export function ShownPage<Data, Row>({
  answer,
  what,
  pageOf,
  empty,
  children,
}: {
  readonly answer: Answer<Data>;
  readonly what: string;
  readonly pageOf: (data: Data) => { readonly rows: readonly Row[]; readonly nextCursor: string | null };
  /** What stands for a page without rows. */
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}): ReactNode {
  const { set } = useAddress();
  return (
    <Shown answer={answer} what={what}>
      {(data) => {
        const { rows, nextCursor } = pageOf(data);
        if (rows.length === 0) return empty;
        return (
          <>
            {children(rows)}
            <NextStep
              cursor={nextCursor}
              onNext={(cursor) => {
                set({ cursor });
              }}
            />
          </>
        );
      }}
    </Shown>
  );
}
