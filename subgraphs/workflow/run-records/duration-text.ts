// Durations as lines of logs have them.

/** How long ago that was, of `performance.now()`: `0.12 s`. */
export const durationText = (since: number): string => `${((performance.now() - since) / 1000).toFixed(2)} s`;
