// The health of the gateway and its components, as they are.
import type { ReactNode } from 'react';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { HealthQuery } from '../../generated/api.ts';
import { Status } from '../../parts/status.tsx';
import { Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/value.tsx';

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
    }
  }
`);

export function Health(): ReactNode {
  const answer = useQuery(HEALTH, {}, { everyMs: 5000 });
  return (
    <Shown answer={answer} what="the health report">
      {({ health }) => (
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
              {
                key: 'status',
                title: 'health',
                cell: ({ status, detail }) => (
                  <>
                    <Status of={status} /> {detail}
                  </>
                ),
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
        </div>
      )}
    </Shown>
  );
}
