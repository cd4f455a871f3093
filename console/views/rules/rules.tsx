// Rules that make entities, and the productions that were asked for.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { InPresent } from '../../frame/in-present.tsx';
import { Page, useTab } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import type {
  ProductionChangesSubscription,
  ProductionChangesSubscriptionVariables,
  ProductionsQuery,
  ProductionsQueryVariables,
  ProductionStatus,
  RulesQuery,
  RulesQueryVariables,
} from '../../generated/api.ts';
import { LabelledSelect } from '../../parts/form.tsx';
import { pageIn, PageSteps } from '../../parts/page-steps.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { SELDOM_MS, useLiveRows } from '../../parts/use-live-rows.ts';
import { agoText, durationText, membersText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { RuleLink } from './plan.tsx';

const RULES = operation<RulesQuery, RulesQueryVariables>(/* GraphQL */ `
  query Rules($project: String, $limit: Int!, $offset: Int!) {
    rules(status: active, project: $project, limit: $limit, offset: $offset) {
      total
      rules {
        rule
        name
        version
        description
        scope
        status
        tags
        produces {
          entityType
        }
        requires {
          ref
        }
        registeredBy
        registeredAt
      }
    }
  }
`);
const PRODUCTIONS = operation<ProductionsQuery, ProductionsQueryVariables>(/* GraphQL */ `
  query Productions($status: ProductionStatus, $project: String, $limit: Int!, $offset: Int!) {
    productions(status: $status, project: $project, limit: $limit, offset: $offset) {
      total
      productions {
        id
        entityType
        criteria
        status
        rule
        requestedBy
        requestedAt
        startedAt
        finishedAt
      }
    }
  }
`);
const PRODUCTION_CHANGES = operation<ProductionChangesSubscription, ProductionChangesSubscriptionVariables>(
  /* GraphQL */ `
    subscription ProductionChanges($project: String) {
      productionChanges(project: $project) {
        production {
          id
        }
      }
    }
  `,
);

const TABS = [
  { key: 'rules', title: 'Rules' },
  { key: 'productions', title: 'Productions' },
] as const;
const SIZE = 25;
const RULES_OF_PAGE = 48;
const STATUSES: readonly ProductionStatus[] = ['queued', 'running', 'completed', 'failed', 'cancelled'];

type Rule = RulesQuery['rules']['rules'][number];

const RuleCard = ({ rule }: { readonly rule: Rule }): ReactNode => (
  <li className="card">
    <div className="row apart">
      <h2>
        <Link to="rule" params={{ name: rule.name }}>
          <Given text={rule.rule} />
        </Link>
      </h2>
      <span className="row">
        <Status of={rule.status} />
        <span className="tag plain">{rule.scope}</span>
      </span>
    </div>
    <p className="quiet">
      <Given text={rule.description ?? 'No description.'} />
    </p>
    <p>
      {rule.requires.length === 0
        ? 'From nothing that is stored'
        : rule.requires.map(({ ref }) => ref).join(', ')}{' '}
      <span aria-hidden="true">→</span>
      <span className="visually-hidden">makes</span>{' '}
      {rule.produces.map(({ entityType }, i) => (
        <span key={entityType}>
          {i > 0 && ', '}
          <Link to="ask" params={{ type: entityType }}>
            <Given text={entityType} />
          </Link>
        </span>
      ))}
    </p>
    <p className="quiet small">
      By <bdi>{rule.registeredBy}</bdi>, {agoText(rule.registeredAt)}
    </p>
  </li>
);

function RuleList(): ReactNode {
  const { at, params, project } = useAddress();
  const page = pageIn(params);
  const answer = useQuery(
    RULES,
    { project: project ?? null, limit: RULES_OF_PAGE, offset: (page - 1) * RULES_OF_PAGE },
    { at },
  );
  return (
    <Shown answer={answer} what="the rules">
      {({ rules: { total, rules } }) =>
        rules.length === 0 ? (
          <Empty title={at === undefined ? 'There is no rule yet' : 'There was no rule then'}>
            <p>A rule says how entities of a type are made: by which CWL workflow, from what.</p>
            <InPresent>
              <Link to="rule" params={{ new: '1' }} className="button first">
                Register a rule
              </Link>
            </InPresent>
          </Empty>
        ) : (
          <>
            <ul className="columns">
              {rules.map((rule) => (
                <RuleCard key={rule.rule + rule.scope} rule={rule} />
              ))}
            </ul>
            {total > RULES_OF_PAGE && (
              <PageSteps page={page} size={RULES_OF_PAGE} total={total} count={rules.length} />
            )}
          </>
        )
      }
    </Shown>
  );
}

function StatusChoice({ status }: { readonly status: string | undefined }): ReactNode {
  const { set } = useAddress();
  return (
    <LabelledSelect
      id="production-status"
      label="Status"
      none="any"
      value={status ?? ''}
      choices={STATUSES}
      onChange={(chosen) => {
        set({ status: chosen, page: undefined });
      }}
    />
  );
}

function ProductionList(): ReactNode {
  const { at, params, project } = useAddress();
  const status = STATUSES.find((one) => one === params.get('status'));
  const page = pageIn(params);
  const of = { project: project ?? null };
  const variables = { status: status ?? null, ...of, limit: SIZE, offset: (page - 1) * SIZE };
  const answer = useQuery(PRODUCTIONS, variables, { everyMs: SELDOM_MS, at });
  const changed = useLiveRows(
    PRODUCTION_CHANGES,
    of,
    ({ productionChanges }) => productionChanges.production.id,
    { isLive: at === undefined, reload: answer.reload },
  );
  return (
    <div className="stack">
      <StatusChoice status={status} />
      <Shown answer={answer} what="the productions">
        {({ productions: { total, productions } }) =>
          productions.length === 0 ? (
            <Empty title="No productions">
              <p>Somebody asks for an artifact, and a rule makes it: that is a production.</p>
              <Link to="ask" className="button first">
                Ask for an artifact
              </Link>
            </Empty>
          ) : (
            <>
              <Table
                label="Productions"
                rows={productions}
                keyOf={({ id }) => id}
                changed={changed}
                columns={[
                  { key: 'status', title: 'status', cell: (one) => <Status of={one.status} /> },
                  {
                    key: 'type',
                    title: 'asked for',
                    cell: (one) => (
                      <Link to="production" params={{ id: one.id }}>
                        <Given text={one.entityType} />
                      </Link>
                    ),
                  },
                  {
                    key: 'with',
                    title: 'with',
                    cell: (one) => (
                      <span className="members">
                        <Given text={membersText(one.criteria)} most={120} />
                      </span>
                    ),
                  },
                  {
                    key: 'rule',
                    title: 'rule',
                    cell: (one) => one.rule !== null && <RuleLink of={one.rule} />,
                  },
                  { key: 'by', title: 'by', cell: (one) => <bdi>{one.requestedBy}</bdi> },
                  { key: 'at', title: 'asked', cell: (one) => agoText(one.requestedAt) },
                  {
                    key: 'took',
                    title: 'took',
                    isNumber: true,
                    cell: (one) =>
                      one.startedAt === null ? '' : durationText(one.startedAt, one.finishedAt ?? at),
                  },
                ]}
              />
              <PageSteps page={page} size={SIZE} total={total} count={productions.length} />
            </>
          )
        }
      </Shown>
    </div>
  );
}

export default function Rules(): ReactNode {
  const { is } = useSession();
  const { at } = useAddress();
  const [tab, bar] = useTab(TABS);
  return (
    <Page
      title="Rules and productions"
      about="A rule says how entities of a type are made. Whoever needs one asks for it; what exists is reused."
      actions={
        <>
          {is('admin') && (
            <Link to="admin" params={{ tab: 'store' }} className="button">
              Store
            </Link>
          )}
          <InPresent>
            <Link to="rule" params={{ new: '1' }} className="button">
              New rule
            </Link>
          </InPresent>
          <Link to="ask" className="button first">
            {is('analyst') && at === undefined ? 'Ask for an artifact' : 'See how one is made'}
          </Link>
        </>
      }
    >
      {bar}
      {tab === 'productions' ? <ProductionList /> : <RuleList />}
    </Page>
  );
}
