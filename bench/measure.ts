// Measures one case: checks that responses are equal, warms up, then runs rounds in which the sides
// alternate.
import type { Case, ServerName } from './cases.ts';
import type { LoadGenerator, Measured } from './load.ts';
import { assertSameAnswers, type Side } from './same-answers.ts';
import type { Round } from './statistics.ts';

export interface Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Settings {
  readonly rounds: number;
  readonly seconds: number;
  readonly clients: number;
}

/** The result of one comparison of a case. */
export interface Comparison {
  readonly with: ServerName;
  readonly target: number | null;
  readonly rounds: readonly Round[];
}

const WARM_UP_SECONDS = 3;

export async function measure(
  subject: Case,
  servers: ReadonlyMap<ServerName, Server>,
  load: LoadGenerator,
  settings: Settings,
  say: (text: string) => void,
): Promise<Comparison[]> {
  const sideOf = (name: ServerName, requests = subject.requests): Side => {
    const server = servers.get(name);
    if (!server) throw new Error(`${name} is not running`);
    return { name, ...server, headers: { ...server.headers, ...subject.headers }, requests };
  };
  const cairn = sideOf(subject.subject ?? 'cairn');
  const others = subject.comparisons.map((comparison) => sideOf(comparison.with, comparison.requests));
  for (const other of others) await assertSameAnswers(cairn, other, subject.essence);

  const run = async (side: Side, seconds: number): Promise<Measured> => {
    const measured = await load.run({ ...side, clients: subject.clients ?? settings.clients, seconds });
    if (measured.failed > 0)
      throw new Error(`${subject.name}: ${measured.failed} requests to ${side.name} failed`);
    return measured;
  };
  const sides = [cairn, ...others];
  for (const side of sides) await run(side, WARM_UP_SECONDS);
  const rounds: Measured[][] = [];
  for (let round = 0; round < settings.rounds; round++) {
    const measured = new Map<Side, Measured>();
    for (const side of round % 2 === 0 ? sides : [...sides].reverse())
      measured.set(side, await run(side, settings.seconds));
    rounds.push(sides.map((side) => measured.get(side)).filter((m) => m !== undefined));
    say(
      `${subject.name} round ${round + 1} of ${settings.rounds}: ${sides.map((side) => `${side.name} ${Math.round(measured.get(side)?.rps ?? 0)}/s`).join(', ')}`,
    );
  }
  return subject.comparisons.map(({ with: name, target }, i) => ({
    with: name,
    target,
    rounds: rounds.flatMap(([first, ...rest]) => {
      const other = rest[i];
      return first && other ? [{ cairn: first, other }] : [];
    }),
  }));
}
