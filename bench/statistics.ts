// Summarizes a comparison: the ratio of each round, and their median with its spread.
import type { Measured } from './load.ts';

export interface Round {
  readonly cairn: Measured;
  readonly other: Measured;
}

export interface Ratio {
  readonly ratio: number;
  /** The smallest and the largest ratio of a round. */
  readonly spread: readonly [lo: number, hi: number];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (low === undefined || high === undefined) throw new Error('the median of nothing');
  return (low + high) / 2;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Computes the ratio from rounds whose two sides ran one after the other, so that a temporary slowdown of the
 * machine affects both.
 */
export function ratioOf(rounds: readonly Round[]): Ratio {
  const ratios = rounds.map(({ cairn, other }) => cairn.rps / other.rps);
  return {
    ratio: rounded(median(ratios)),
    spread: [rounded(Math.min(...ratios)), rounded(Math.max(...ratios))],
  };
}
