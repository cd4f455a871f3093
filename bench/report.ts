// Prints the results: a table for people, ratios for programs.
import type { Case } from './cases.ts';
import type { Comparison } from './measure.ts';
import type { Measured } from './load.ts';
import { median, type Ratio, ratioOf } from './statistics.ts';

export interface Result {
  readonly subject: Case;
  readonly comparisons: readonly Comparison[];
}

/** `{"ratios": {"<name>": {"ratio", "spread": [lo, hi]}}}`: each case compared with its first baseline. */
export function jsonReport(results: readonly Result[]): string {
  const ratios: Record<string, Ratio> = {};
  for (const {
    subject,
    comparisons: [first],
  } of results)
    if (first) ratios[subject.name] = ratioOf(first.rounds);
  return JSON.stringify({ ratios });
}

const HEAD = [
  'case',
  'against',
  'ratio',
  'spread',
  'target',
  '',
  'Cairn/s',
  'p50 ms',
  'p99 ms',
  'other/s',
  'p50 ms',
  'p99 ms',
];
const number = (value: number, digits: number): string => value.toFixed(digits);
const middle = (all: readonly Measured[], key: 'rps' | 'p50' | 'p99', digits: number): string =>
  number(median(all.map((m) => m[key])), digits);
const columns = (all: readonly Measured[]): string[] => [
  middle(all, 'rps', 0),
  middle(all, 'p50', 2),
  middle(all, 'p99', 2),
];

function lineOf(name: string, { with: other, target, rounds }: Comparison): string[] {
  const {
    ratio,
    spread: [lo, hi],
  } = ratioOf(rounds);
  const verdict = ratio >= (target ?? 0) ? 'met' : 'missed';
  return [
    name,
    other,
    number(ratio, 2),
    `${number(lo, 2)}–${number(hi, 2)}`,
    target === null ? '' : `≥ ${target}`,
    target === null ? '' : verdict,
    ...columns(rounds.map((r) => r.cairn)),
    ...columns(rounds.map((r) => r.other)),
  ];
}

/** The figures of a side are medians over the rounds. */
export function tableReport(results: readonly Result[]): string {
  const lines = [
    HEAD,
    ...results.flatMap(({ subject, comparisons }) =>
      comparisons.map((comparison) => lineOf(subject.name, comparison)),
    ),
  ];
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((field, i) => (i < 2 || i === 5 ? field.padEnd(widths[i] ?? 0) : field.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
