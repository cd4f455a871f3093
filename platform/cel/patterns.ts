// Regular expressions of `matches`: RE2 only, so that no pattern takes more than linear time (hazards, «Process killers»).
import { RE2JS } from '@bufbuild/re2';
import { LRUCache } from 'lru-cache';
import { CEL_LIMITS, spend } from './limits.ts';

const compiled = new LRUCache<string, RE2JS>({ max: 500 });

/** @throws Error when the pattern is too long, too large, or no RE2 */
function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > CEL_LIMITS.pattern)
    throw new Error(`a regular expression has at most ${CEL_LIMITS.pattern} characters`);
  const regex = RE2JS.compile(pattern);
  spend(regex.re2().prog.numInst() * 4); // about 2 µs an instruction
  if (regex.re2().prog.numInst() > CEL_LIMITS.patternProgram)
    throw new Error('the regular expression is too large');
  compiled.set(pattern, regex);
  return regex;
}

/** What is wrong with a pattern, in words; null if nothing is. */
export function faultOfPattern(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether the pattern is found anywhere in the text; spends steps by the size of both. @throws Error as for a bad pattern */
export function matchesPattern(text: string, pattern: string): boolean {
  const regex = compilePattern(pattern);
  spend(1 + Math.ceil((text.length * regex.re2().prog.numInst()) / 8)); // at worst 20 ns for a character and an instruction
  return regex.test(text);
}
