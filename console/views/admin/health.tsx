// The health of the gateway and its components as they are, why, and what to do.
import type { ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { HealthQuery } from '../../generated/api.ts';
import { healthAdvice } from '../../parts/health-advice.ts';
import { Status } from '../../parts/status.tsx';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Given, Instant } from '../../parts/value.tsx';

const HEALTH = operation<HealthQuery>(/* GraphQL */ `
  query Health {
    health {
      status
      bridge
      checkedAt
      components {
        name
        status
        latencyMs
        url
        detail
      }
      problems {
        code
        detail
      }
    }
    triggers {
      name
      status
      problem
    }
  }
`);

const Reason = ({ detail }: { readonly detail: string | null }): ReactNode => {
  const advice = healthAdvice(detail);
  if (advice === undefined) return detail;
  return (
    <>
      {advice.meaning} (<code>{detail}</code>). {advice.todo}
    </>
  );
};

const Problems = ({ rows }: { readonly rows: HealthQuery['health']['problems'] }): ReactNode =>
  rows.length === 0 ? null : (
    <section aria-label="Other problems">
      <h2>Other problems</h2>
      <ul className="list">
        {rows.map(({ code, detail }) => (
          <li key={code}>
            <Reason detail={code} /> <span className="quiet">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );

const Triggers = ({ rows }: { readonly rows: HealthQuery['triggers'] }): ReactNode =>
  rows.length === 0 ? null : (
    <section aria-label="Triggers that do not work">
      <h2>Triggers that do not work</h2>
      <ul className="list">
        {rows.map(({ name, problem }) => (
          <li key={name}>
            <Link to="trigger" params={{ name }}>
              {name}
            </Link>
            {problem !== null && <Given text={problem} most={400} />}
          </li>
        ))}
      </ul>
    </section>
  );

export function Health(): ReactNode {
  const answer = useQuery(HEALTH, {}, { everyMs: 5000 });
  return (
    <Shown answer={answer} what="the health report">
      {({ health, triggers }) => (
        <div className="stack">
          <p className="row">
            <Status of={health.status} />
            <span className="quiet">
              as of <Instant iso={health.checkedAt} />
            </span>
          </p>
          <Table
            label="Components"
            rows={health.components}
            keyOf={({ name }) => name}
            columns={[
              { key: 'name', title: 'component', cell: ({ name }) => <strong>{name}</strong> },
              { key: 'status', title: 'health', cell: ({ status }) => <Status of={status} /> },
              {
                key: 'reason',
                title: 'why, and what to do',
                cell: ({ detail }) => <Reason detail={detail} />,
              },
              {
                key: 'latency',
                title: 'answered in',
                isNumber: true,
                cell: ({ latencyMs }) => `${latencyMs} ms`,
              },
              { key: 'url', title: 'address', cell: ({ url }) => <code>{url}</code> },
            ]}
          />
          <Problems rows={health.problems} />
          <Triggers rows={triggers.filter(({ problem }) => problem !== null)} />
        </div>
      )}
    </Shown>
  );
}
