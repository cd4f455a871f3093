// Reads production rules from a file: one definition, or a package of them. Referenced CWL files are
// included.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { isObject } from '../platform/json-object.ts';
import { readInput } from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Session } from './session.ts';

type Json = Record<string, unknown>;

/** Replaces `execute.cwl_file` by `cwl_content`, which the API accepts. */
function withContent(rule: Json, directory: string): Json {
  const { execute } = rule;
  if (!isObject(execute) || typeof execute['cwl_file'] !== 'string') return rule;
  const { cwl_file: file, ...rest } = execute;
  const location = path.resolve(directory, String(file));
  try {
    return { ...rule, execute: { ...rest, cwl_content: readFileSync(location).toString('base64') } };
  } catch (cause) {
    throw new UsageFailure(
      `${String(file)} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/**
 * Returns the rules of a YAML or JSON file, `-` for standard input. The platform validates them.
 * @throws UsageFailure
 */
export async function readRules(session: Session, file: string): Promise<Json[]> {
  const document = parseDocument(await readInput(session, file));
  const [fault] = document.errors;
  if (fault !== undefined) throw new UsageFailure(`${file} is not valid YAML: ${fault.message}`);
  const content: unknown = document.toJS();
  const rules = isObject(content) && Array.isArray(content['rules']) ? content['rules'] : [content];
  const directory = file === '-' ? session.cwd : path.dirname(path.resolve(session.cwd, file));
  return rules.map((rule: unknown) => {
    if (isObject(rule)) return withContent(rule, directory);
    throw new UsageFailure(`${file} contains neither a rule nor a package of rules`);
  });
}
