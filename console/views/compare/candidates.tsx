// What something can be compared with: the newest of its kind.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { type Operation, operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type {
  ComparableProductionsQuery,
  ComparableRulesQuery,
  ComparableRunsQuery,
  ComparableTypesQuery,
} from '../../generated/api.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { instantText, membersText } from '../../parts/text.ts';
import { ownLast } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';

const PRODUCTIONS = operation<ComparableProductionsQuery>(/* GraphQL */ `
  query ComparableProductions {
    productions(limit: 50) {
      productions {
        id
        entityType
        criteria
        status
        requestedAt
      }
    }
  }
`);
const RUNS = operation<ComparableRunsQuery>(/* GraphQL */ `
  query ComparableRuns {
    runs(limit: 50) {
      runs {
        runId
        triggerName
        adapter
        status
        queuedAt
      }
    }
  }
`);
const RULES = operation<ComparableRulesQuery>(/* GraphQL */ `
  query ComparableRules {
    rules(limit: 200) {
      rules {
        rule
        status
        registeredAt
      }
    }
  }
`);
const TYPES = operation<ComparableTypesQuery>(/* GraphQL */ `
  query ComparableTypes {
    schemas {
      name
      version
    }
  }
`);

export interface Candidate {
  /** What stands for it in the address. */
  readonly key: string;
  readonly text: string;
  readonly status?: string;
  /** What tells it from others of the same text. */
  readonly more?: string;
}

export type Kind = 'production' | 'run' | 'rule' | 'type';

interface Source<Data> {
  readonly asked: Operation<Data, Readonly<Record<string, never>>>;
  readonly read: (data: Data) => readonly Candidate[];
}

const sourceOf = <Data,>(source: Source<Data>): Source<unknown> => source as Source<unknown>; // each reads its own answer

const SOURCES: Readonly<Record<Kind, Source<unknown>>> = {
  production: sourceOf({
    asked: PRODUCTIONS,
    read: ({ productions: { productions } }) =>
      productions.map(({ id, entityType, criteria, status, requestedAt }) => ({
        key: id,
        text: entityType,
        status,
        more: `${membersText(criteria)}, ${instantText(requestedAt)}`,
      })),
  }),
  run: sourceOf({
    asked: RUNS,
    read: ({ runs: { runs } }) =>
      runs.map(({ runId, triggerName, adapter, status, queuedAt }) => ({
        key: runId,
        text: triggerName ?? adapter ?? 'submitted',
        status,
        more: instantText(queuedAt),
      })),
  }),
  rule: sourceOf({
    asked: RULES,
    read: ({ rules: { rules } }) =>
      rules.map(({ rule, status, registeredAt }) => ({
        key: rule,
        text: rule,
        status,
        more: instantText(registeredAt),
      })),
  }),
  type: sourceOf({
    asked: TYPES,
    read: ({ schemas }) =>
      ownLast(schemas).map(({ name, version }) => ({ key: `${name}@${version}`, text: name, more: version })),
  }),
};

/** Each as a link that chooses it as the second, or as the first where none is chosen. */
export function Candidates({ kind, one }: { readonly kind: Kind; readonly one: string }): ReactNode {
  const { asked, read } = SOURCES[kind];
  const { at } = useAddress();
  const answer = useQuery(asked, {}, { at: kind === 'type' ? undefined : at });
  return (
    <Shown answer={answer} what="what it can be compared with">
      {(data) => {
        const candidates = read(data).filter(({ key }) => key !== one);
        if (candidates.length === 0) return <Empty title="There is nothing to compare it with" />;
        return (
          <section className="card" aria-labelledby="candidates">
            <h2 id="candidates">{one === '' ? 'Compare' : 'Compare with'}</h2>
            <ul className="list">
              {candidates.map(({ key, text, status, more }) => (
                <li key={key}>
                  <span className="row">
                    {status !== undefined && <Status of={status} />}
                    <Link
                      to="compare"
                      params={one === '' ? { of: kind, one: key } : { of: kind, one, other: key }}
                    >
                      <Given text={text} most={200} />
                    </Link>
                  </span>
                  <span className="quiet small">
                    <Given text={more ?? ''} most={300} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        );
      }}
    </Shown>
  );
}
