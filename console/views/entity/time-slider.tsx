// The versions of an entity on one line: moving along it shows what the entity was.
import { type ReactNode, useEffect, useRef } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import type { VersionTimesQuery, VersionTimesQueryVariables } from '../../generated/api.ts';
import { instantText } from '../../parts/text.ts';

/** Events that make another version, of which there may be more than fit on a line. */
const MAX_EVENTS = 200;

const VERSION_TIMES = operation<VersionTimesQuery, VersionTimesQueryVariables>(/* GraphQL */ `
  query VersionTimes($id: ID!, $types: [String!], $limit: Int!) {
    entityHistoryPage(entityId: $id, eventTypes: $types, limit: $limit) {
      nextCursor
      items {
        timestamp
        actor
      }
    }
  }
`);

/** Those that an entity's fields show. */
const TYPES = ['EntityCreated', 'EntityUpdated', 'AvailabilityChanged'];

export function TimeSlider({ id, version }: { readonly id: string; readonly version: number }): ReactNode {
  const { at, set } = useAddress();
  const { data, reload } = useQuery(VERSION_TIMES, { id, types: TYPES, limit: MAX_EVENTS });
  const newest = useRef(version);
  useEffect(() => {
    if (version <= newest.current) return; // an earlier time is shown
    newest.current = version;
    reload();
  }, [version, reload]);
  const page = data?.entityHistoryPage;
  if (!page || page.items.length < 2) return null;
  const times = page.items;
  const last = times.length - 1;
  // the last event that had happened then
  const shown =
    at === undefined
      ? last
      : Math.max(
          0,
          times.findLastIndex(({ timestamp }) => timestamp <= at),
        );
  const event = times[shown];
  const isNow = shown === last && page.nextCursor === null;
  const text =
    event === undefined
      ? ''
      : `${isNow ? 'now, since' : 'as of'} ${instantText(event.timestamp)}, by ${event.actor}`;
  return (
    <div className="row time-slider">
      <label htmlFor="versions">Versions</label>
      <input
        id="versions"
        type="range"
        min={0}
        max={last}
        step={1}
        value={shown}
        aria-valuetext={text}
        onChange={({ target }) => {
          const chosen = Number(target.value);
          const isLast = chosen === last && page.nextCursor === null;
          set({ at: isLast ? undefined : times[chosen]?.timestamp });
        }}
      />
      <span className="quiet small">
        <bdi>{text}</bdi>
        {page.nextCursor !== null && `; the first ${MAX_EVENTS} of its changes, version ${version} is shown`}
      </span>
    </div>
  );
}
