// A CEL expression as a filter: checked by the server, which also explains how it finds the entities.
import { type FormEvent, lazy, type ReactNode, type RefObject, Suspense, useState } from 'react';
import { operation, requestOf } from '../../api/operation.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import { useQuery } from '../../api/use-api.ts';
import { useAddress } from '../../address/address.tsx';
import type { ExplainQuery, ExplainQueryVariables } from '../../generated/api.ts';
import { Fault, Loading } from '../../parts/states.tsx';
import { CHECK_FILTER } from './check-filter.ts';
import { Explained, HOW_FOUND } from './explained.tsx';
import type { Listing } from './listing.ts';

const EXPLAIN = operation<ExplainQuery, ExplainQueryVariables>(
  /* GraphQL */ `
    query Explain($type: String!, $filter: String!, $q: String, $orderBy: String, $at: DateTime) {
      explainFilter(entityType: $type, filter: $filter, q: $q, orderBy: $orderBy, asOf: $at) {
        ...HowFound
      }
    }
  `,
  HOW_FOUND,
);

function Explanation({ listing }: { readonly listing: Listing }): ReactNode {
  const { at = null } = useAddress();
  const { type, filter = '', words: q, orderBy = null } = listing;
  const { data, error } = useQuery(EXPLAIN, { type: type.name, filter, q, orderBy, at });
  if (error) return <Fault error={error} />;
  if (data === undefined) return <Loading what="the explanation" />;
  return <Explained told={data.explainFilter} />;
}

/** With the editor's library, loaded when it is first shown. */
const CelEditor = lazy(() => import('./cel-editor.tsx'));

const HINT = 'data.age < 30 && data.donor.startsWith("D-")';

export function Expression({
  listing,
  opener,
}: {
  readonly listing: Listing;
  /** What opens it: whoever is still there wants to write. */
  readonly opener: RefObject<HTMLButtonElement>;
}): ReactNode {
  const [typed, setTyped] = useState(listing.own);
  const { params, set } = useAddress();
  const explains = params.get('explain') === '1';
  const [fault, setFault] = useState<string>();
  const typeName = listing.type.name;
  // the editor asks it
  useShownRequest(
    typed.trim() === '' ? undefined : requestOf(CHECK_FILTER, { type: typeName, filter: typed }),
  );
  const apply = (): void => {
    listing.change({ filter: typed });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    apply();
  };
  return (
    <section className="card" aria-label="Expression">
      <form className="stack" onSubmit={submit}>
        <div className="field">
          <span className="label" aria-hidden="true">
            Expression (CEL)
          </span>
          <Suspense fallback={<Loading what="the editor" />}>
            <CelEditor
              id="expression"
              label="Expression (CEL)"
              describedBy="expression-hint expression-fault"
              type={listing.type}
              hint={HINT}
              takesFocus={() => opener.current !== null && document.activeElement === opener.current}
              applied={listing.own}
              onChange={setTyped}
              onApply={apply}
              onChecked={setFault}
            />
          </Suspense>
          <p className="fault" id="expression-fault" aria-live="polite">
            {fault}
          </p>
          <p className="hint" id="expression-hint">
            Over <code>data</code>, <code>id</code>, <code>version</code>, <code>created_at</code>,{' '}
            <code>updated_at</code>. Enter applies it, Shift-Enter begins a line, Ctrl-Space completes.
          </p>
        </div>
        <div className="row">
          <button type="submit" className="button first">
            Apply
          </button>
          <button
            type="button"
            className="button"
            aria-expanded={explains}
            disabled={listing.filter === undefined}
            onClick={() => {
              set({ explain: explains ? undefined : '1' }, { replace: true });
            }}
          >
            Explain
          </button>
        </div>
      </form>
      {explains && listing.filter !== undefined && <Explanation listing={listing} />}
    </section>
  );
}
