// Feeds read pages of bounded size and yield to other work.
import { expect, test } from 'vitest';
import { TooMuchAtOnce } from '../../../platform/budget/bounded-query.ts';
import type { Identity } from '../../../platform/identity.ts';
import { ChangeFeedService, type FeedDeps } from './change-feed.service.ts';
import { markAt, START } from './feed-token.ts';
import type { FeedEvent } from './feed-event.ts';

const READER: Identity = { actor: 'user:a', roles: ['viewer'], projects: '*' };
const EVENTS = 40;

const eventAt = (position: number): FeedEvent => ({
  position: String(position),
  id: `e${position}`,
  eventType: 'EntityCreated',
  entityId: null,
  entityType: null,
  actor: 'user:a',
  timestamp: '2026-01-01T00:00:00.000000Z',
  schemaVersion: '1',
  requestId: null,
  cause: null,
  context: null,
  payload: {},
  hidden: null,
});

/** A log that refuses pages of more than this many events. */
function feedOf(most: number, asked: number[]): ChangeFeedService {
  const deps: Partial<FeedDeps> = {
    endOfLog: () => Promise.resolve(START),
    holds: () => Promise.resolve(true),
    whole: (event) => event,
    notifier: {
      count: 0,
      waiter: () => Promise.resolve({ next: () => Promise.resolve(), release: () => Promise.resolve() }),
    } as unknown as FeedDeps['notifier'],
    pageOfLog(after, { limit }) {
      asked.push(limit);
      if (limit > most) return Promise.reject(new TooMuchAtOnce('too much'));
      const from = Number(after.position);
      const events = Array.from({ length: Math.min(limit, EVENTS - from) }, (_, i) => eventAt(from + i + 1));
      const last = events.at(-1);
      const position = last?.position ?? after.position;
      return Promise.resolve({
        events,
        next: { position, mark: last ? markAt(position, last.id) : after.mark },
        isEnd: last === undefined,
      });
    },
  };
  return new ChangeFeedService(deps as FeedDeps);
}

test.each([1, 3, 7])('no event is left out where %i events fit into a page', async (most) => {
  const asked: number[] = [];
  const until = new AbortController();
  const seen: string[] = [];
  const request = { types: null, entityTypes: null, filter: null, after: null };
  const feed = await feedOf(most, asked).open(request, READER, until.signal);
  for await (const { event } of feed) {
    seen.push(event.position);
    if (seen.length === EVENTS) until.abort();
  }
  expect(seen).toEqual(Array.from({ length: EVENTS }, (_, i) => String(i + 1)));
  expect(Math.max(...asked)).toBeLessThanOrEqual(50);
});

test('others run between the events of a long page', async () => {
  const until = new AbortController();
  const request = { types: null, entityTypes: null, filter: null, after: null };
  const feed = await feedOf(50, []).open(request, READER, until.signal);
  let [turns, seen] = [0, 0];
  const timer = setInterval(() => turns++, 0);
  for await (const _ of feed) {
    for (const end = performance.now() + 6; performance.now() < end;) seen += 0; // each takes its reader 6 ms
    if (++seen === EVENTS) until.abort();
  }
  clearInterval(timer);
  expect(turns).toBeGreaterThan(EVENTS / 4);
});
