// What the tests of tokens in two processes share.

export const times = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
