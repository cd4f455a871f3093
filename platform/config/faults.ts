// Represents faults of a configuration with their location: path, line and a message.

export type Path = readonly (string | number)[];

export interface ConfigFault {
  /**
   * `components.metadata.url`, `workflow.triggers[2].schedule`, or the name of an environment variable.
   * Empty: the file as a whole.
   */
  readonly path: string;
  readonly message: string;
  /** The file as the operator named it; absent where the fault is not in a file. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The location of a definition, for faults that are found later. */
export interface Origin {
  readonly document: Locator;
  readonly path: Path;
}

export interface Locator {
  readonly label: string;
  /** Returns line and column of the node at a path, or of its nearest existing ancestor. */
  locate(path: Path): { line: number; column: number } | undefined;
}

export const formatPath = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

/** A fault at a key below an origin: `faultAt(trigger.origin, ['poll', 'filter'], 'no such variable: x')`. */
export const faultAt = (origin: Origin, key: Path, message: string): ConfigFault => {
  const path = [...origin.path, ...key];
  return { path: formatPath(path), message, file: origin.document.label, ...origin.document.locate(path) };
};

const place = (fault: ConfigFault): string =>
  fault.file === undefined
    ? ''
    : `${fault.file}${fault.line === undefined ? '' : `:${fault.line}`}${fault.column === undefined ? '' : `:${fault.column}`}`;

/** One line: `gateway.yaml:12:5 components.metadata.url: must be an http or https address`. */
const formatFault = (fault: ConfigFault): string =>
  [place(fault), fault.path === '' ? '' : `${fault.path}:`, fault.message]
    .filter((part) => part !== '')
    .join(' ');

/** All faults of a configuration; the message lists one per line. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(
      `the configuration has ${faults.length === 1 ? 'one fault' : `${faults.length} faults`}:\n${faults.map((f) => `  ${formatFault(f)}`).join('\n')}`,
    );
    this.faults = faults;
  }
}
