// Substitutes environment variables in configuration strings: `${NAME}`, `${NAME:-default}`; `$${` is a
// literal `${`.
import type { Environment } from './environment.ts';

export type Substitution =
  | { readonly text: string; readonly whole: boolean; readonly used: readonly string[] }
  | { readonly fault: string };

const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g;
const INNER = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Returns the string with its placeholders replaced. `whole`: the string was exactly one placeholder;
 * `used`: the variables whose values it has. As in a
 * shell, `:-` gives the default for a variable that is not set or empty. A missing variable without a default
 * is a fault.
 */
export function substitute(text: string, env: Environment): Substitution {
  const faults: string[] = [];
  const used: string[] = [];
  let whole = false;
  const replaced = text.replace(
    PLACEHOLDER,
    (match: string, inner: string | undefined, close: string | undefined) => {
      if (match === '$${') return '${';
      const parts = close === '}' ? INNER.exec(inner ?? '') : null;
      const name = parts?.[1];
      if (name === undefined) {
        faults.push(
          `"${match}" is not of the form \${NAME} or \${NAME:-default}; write $\${ for a literal \${`,
        );
        return match;
      }
      whole = match === text;
      const value = env[name];
      const fallback = parts?.[2];
      const isMissing = value === undefined || (value === '' && fallback !== undefined);
      if (!isMissing) used.push(name);
      if (fallback !== undefined) return isMissing ? fallback : value;
      if (value === undefined)
        faults.push(
          `the environment variable ${name} is not set, and the value has no default (\${${name}:-default})`,
        );
      return value ?? '';
    },
  );
  return faults.length > 0 ? { fault: faults.join('; ') } : { text: replaced, whole, used };
}
