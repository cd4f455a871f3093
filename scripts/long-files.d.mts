export const LONG_FILES: readonly string[];
export function leavesLongFilesOut(args: readonly string[]): boolean;
