// What a process takes in, and what it turns away before it hurts.
import { gauge, tallies } from './process-metrics.ts';

export const shed = tallies(
  'cairn_shed_requests_total',
  'Requests and connections that were refused because too much was under way, by the limit that they met.',
  'limit',
  [
    'bytes_of_all',
    'bytes_of_one',
    'small_pieces',
    'connections_of_all',
    'connections_of_one',
    'late_handshakes',
    'late_bodies',
    'answers_of_all',
  ],
);

interface TakenIn {
  readonly connections: number;
  readonly bytes: number;
  readonly maxBytes: number;
}

const servers = new Set<() => TakenIn>();

/** Counts a server's intake with those of the process; returns a function that ends it. */
export function countIntake(read: () => TakenIn): () => void {
  servers.add(read);
  return () => {
    servers.delete(read);
  };
}

const sum = (of: keyof TakenIn) => () => [
  { value: [...servers].reduce((total, read) => total + read()[of], 0) },
];

gauge('cairn_connections_open', 'Open connections of clients.', sum('connections'));
gauge('cairn_body_bytes_in_flight', 'Bytes of bodies and messages that are held at present.', sum('bytes'));
gauge('cairn_body_bytes_max', 'Bytes of bodies and messages that may be held at one time.', sum('maxBytes'));
