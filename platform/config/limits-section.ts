// Section `server.limits`: how much a process accepts at once, in total and from one client.
import type { z } from 'zod';
import { section } from './section.ts';
import { count, seconds, size } from './values.ts';

export const limits = () =>
  section({
    connections: count(1, 1_000_000).default(10_000),
    connections_per_address: count(1, 1_000_000).default(1000),
    websockets_per_actor: count(1, 1_000_000).default(100),
    websockets_per_address: count(1, 1_000_000).default(100),
    streams_per_actor: count(1, 1_000_000).default(100),
    refusals_per_minute: count(1, 1_000_000).default(120),
    pings_per_minute: count(1, 1_000_000).default(300),
    body_bytes: size().prefault('256 MiB'),
    body_bytes_per_actor: size().prefault('128 MiB'),
    body_bytes_per_address: size().prefault('16 MiB'),
    body_idle_seconds: seconds().default(15),
    body_seconds: seconds().default(120),
    unread_seconds: seconds().default(60),
    json_values: count(1, 1_000_000_000).default(1_000_000),
    json_names: count(1, 1_000_000_000).default(50_000),
  });

export type Limits = Readonly<z.output<ReturnType<typeof limits>>>;

/** The defaults without configuration. */
export const DEFAULT_LIMITS: Limits = limits().parse({});
