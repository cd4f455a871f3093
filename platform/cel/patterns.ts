// Compiles and runs the regular expressions of `matches`. They are RE2 only, so that every pattern takes
// linear time (hazards, «Process killers»).
import { RE2JS } from '@bufbuild/re2';
import { LRUCache } from 'lru-cache';
import { CEL_LIMITS, spend } from './limits.ts';

const compiled = new LRUCache<string, RE2JS>({ max: 500 });

/** @throws Error when the pattern is too long, too large, or not valid RE2 */
function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > CEL_LIMITS.pattern)
    throw new Error(`a regular expression has at most ${CEL_LIMITS.pattern} characters`);
  const regex = RE2JS.compile(pattern);
  spend(regex.re2().prog.numInst() * 4); // about 2 µs per instruction
  if (regex.re2().prog.numInst() > CEL_LIMITS.patternProgram)
    throw new Error('the regular expression is too large');
  compiled.set(pattern, regex);
  return regex;
}

/** Returns what is wrong with a pattern; null if nothing is. */
export function faultOfPattern(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Whether the pattern matches anywhere in the text; charges steps by the size of both.
 * @throws Error for an invalid pattern
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const regex = compilePattern(pattern);
  // at worst 20 ns per character and instruction
  spend(1 + Math.ceil((text.length * regex.re2().prog.numInst()) / 8));
  return regex.test(text);
}
