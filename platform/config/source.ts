// Parses YAML text into plain values, substitutes environment variables, and records the position of each
// value.
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, Scalar, visit } from 'yaml';
import type { Environment } from './environment.ts';
import { type ConfigFault, formatPath, type Locator, type Path } from './faults.ts';
import { substitute } from './substitute.ts';

export interface Source extends Locator {
  /**
   * The document's value; undefined where the text is not YAML. An empty value (`key:`) is undefined, `key:
   * null` is null.
   */
  readonly tree: unknown;
  readonly faults: readonly ConfigFault[];
  /** The environment variables whose values are in the text at a path, or below it. */
  readonly variablesAt: (path: Path) => readonly string[];
}

/**
 * Reads the value of a plain scalar that consisted of one placeholder: numbers and booleans as in YAML; an
 * empty value is absent.
 */
function reread(text: string): unknown {
  if (text === '') return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[-+]?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Returns the path of a node, from the pairs and sequences above it. */
function pathOf(node: unknown, ancestors: readonly unknown[]): Path {
  const chain = [...ancestors, node];
  return ancestors.flatMap((parent, i): Path => {
    if (isSeq(parent)) return [parent.items.indexOf(chain[i + 1])];
    return isPair(parent) && isScalar(parent.key) ? [String(parent.key.value)] : [];
  });
}

/**
 * @param env variables for placeholders; null keeps placeholders unchanged (rule packages, where `${` may be
 * JavaScript)
 */
export function readSource(text: string, label: string, env: Environment | null): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const position = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    const faults = problems.map((problem) => ({
      path: '',
      message: `not valid YAML: ${(problem.message.split(/ at line \d+|\n/)[0] ?? problem.message).trim()}`,
      file: label,
      ...position(problem.pos[0]),
    }));
    return { label, tree: undefined, faults, locate: () => undefined, variablesAt: () => [] };
  }

  const faults: ConfigFault[] = [];
  const used: { readonly at: Path; readonly variables: readonly string[] }[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === 'key') return;
      if (node.value === null && (node.source ?? '') === '') node.value = undefined;
      if (env === null || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const result = substitute(node.value, env);
      const path = pathOf(node, ancestors);
      if ('fault' in result)
        faults.push({
          path: formatPath(path),
          message: result.fault,
          file: label,
          ...position(node.range?.[0] ?? 0),
        });
      else {
        used.push({ at: path, variables: result.used });
        node.value = result.whole && node.type === Scalar.PLAIN ? reread(result.text) : result.text;
      }
    },
  });

  return {
    label,
    tree: document.toJS(),
    faults,
    variablesAt: (path) => [
      ...new Set(
        used.flatMap(({ at, variables }) => (path.every((part, i) => at[i] === part) ? variables : [])),
      ),
    ],
    locate(path) {
      let node: unknown = document.contents;
      let offset: number | undefined;
      for (const part of path) {
        const pair = isMap(node)
          ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === part)
          : undefined;
        const next: unknown = isSeq(node) && typeof part === 'number' ? node.items[part] : pair?.value;
        const found = (pair?.key ?? next) as Node | undefined; // a parsed document contains nodes
        if (found?.range === undefined || found.range === null) break;
        offset = found.range[0];
        node = next;
      }
      return offset === undefined ? undefined : position(offset);
    },
  };
}
