// The gateway's endpoint of measurements of the past (docs/reference/gateway.md#measurements).
import { instant, list, optionalInteger } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';

const PROCESS = 'id host pid version started_at: startedAt seen_at: seenAt';

export const measurementRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/measurements',
    summary: 'Returns what the processes measured over some time.',
    operation: `query listMeasurements($names: [String!], $from: DateTime, $to: DateTime, $step: Int) {
      systemMetrics(names: $names, from: $from, to: $to, step: $step) { step times series { name unit process values } processes { ${PROCESS} } }
    }`,
    pick: 'systemMetrics',
    query: {
      names: list('The names of the series, separated by commas; all if absent.'),
      from: instant('The beginning of the time; an hour before its end if absent.'),
      to: instant('The end of the time; now if absent.'),
      step: optionalInteger(
        { min: 1 },
        'The seconds that become one value, so that there are at most 500; absent for 120 values.',
      ),
    },
    variables: ({ query }) => query,
  }),
];
