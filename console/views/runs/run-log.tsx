// The log of a run: as it grows, or as it was.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useFollow, useQuery } from '../../api/use-api.ts';
import type {
  RunLogQuery,
  RunLogQueryVariables,
  RunLogLinesSubscription,
  RunLogLinesSubscriptionVariables,
} from '../../generated/api.ts';
import { LogBox, type LogLine } from '../../parts/log-box.tsx';
import { Fault, Shown } from '../../parts/states.tsx';

const RUN_LOG = operation<RunLogQuery, RunLogQueryVariables>(/* GraphQL */ `
  query RunLog($id: ID!, $after: Int!) {
    run(runId: $id) {
      log(limit: 1000, after: $after) {
        total
        lines {
          number
          at
          level
          message
        }
      }
    }
  }
`);
const RUN_LOG_LINES = operation<RunLogLinesSubscription, RunLogLinesSubscriptionVariables>(/* GraphQL */ `
  subscription RunLogLines($id: ID!, $after: Int!) {
    runLog(runId: $id, after: $after) {
      number
      at
      level
      message
    }
  }
`);

type Line = RunLogLinesSubscription['runLog'];

/** Lines that come together are drawn together. */
const TOGETHER_MS = 200;

const lineOf = ({ number, at, level, message }: Line): LogLine => ({
  key: number,
  level,
  text: `${at.replace(/(\.\d{3})\d*Z$/, '$1Z')} ${level.padEnd(5)} ${message}`,
});

const NOTHING = 'Nothing was logged.';

function Followed({ id, isUnderWay }: { readonly id: string; readonly isUnderWay: boolean }): ReactNode {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const waiting = useRef<LogLine[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const fault = useFollow(RUN_LOG_LINES, { id, after: 0 }, ({ runLog }) => {
    waiting.current.push(lineOf(runLog));
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const come = waiting.current.splice(0);
      // a stream that is opened again begins with the first line
      setLines((before) => {
        const last = before.at(-1)?.key ?? 0;
        return [...before, ...come.filter(({ key }) => key > last)];
      });
    }, TOGETHER_MS);
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  return (
    <>
      {fault && <Fault error={fault} />}
      {lines.length === 0 ? (
        <p className="quiet">{isUnderWay ? 'It has not begun yet.' : NOTHING}</p>
      ) : (
        <LogBox label="Log of the run" file={`run-${id}.log`} lines={lines} isLive={isUnderWay} />
      )}
    </>
  );
}

/** A page of the log as it was then. */
function Past({ id, at }: { readonly id: string; readonly at: string }): ReactNode {
  const [after, setAfter] = useState(0);
  const answer = useQuery(RUN_LOG, { id, after }, { at });
  return (
    <Shown answer={answer} what="the log">
      {({ run }) => {
        const lines = run?.log.lines ?? [];
        const last = lines.at(-1)?.number ?? 0;
        if (lines.length === 0) return <p className="quiet">{NOTHING}</p>;
        return (
          <>
            <LogBox label="Log of the run" file={`run-${id}.log`} lines={lines.map(lineOf)} isLive={false} />
            {last < (run?.log.total ?? 0) && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  setAfter(last);
                }}
              >
                Next lines
              </button>
            )}
          </>
        );
      }}
    </Shown>
  );
}

export function RunLog({ id, isUnderWay }: { readonly id: string; readonly isUnderWay: boolean }): ReactNode {
  const { at } = useAddress();
  return (
    <section className="stack" aria-labelledby="log">
      <h2 id="log">Log</h2>
      {at === undefined ? (
        <Followed key={id} id={id} isUnderWay={isUnderWay} />
      ) : (
        <Past key={`${id} ${at}`} id={id} at={at} />
      )}
    </section>
  );
}
