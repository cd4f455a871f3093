// Defines the error for a CEL expression that is rejected before evaluation: 422 with line and column
// (docs/reference/cel.md#refusals).
import { DomainError } from '../errors.ts';

/**
 * `validation_failed`; `details` has `{line, column}`, both from 1, the column in characters (code points).
 */
export class CelError extends DomainError {
  override name = 'CelError';
  readonly line: number;
  readonly column: number;

  /** @param offset position of the fault in `text`, in UTF-16 units */
  constructor(message: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
    super('validation_failed', `CEL: ${message} (line ${line}, column ${column})`, { line, column });
    this.line = line;
    this.column = column;
  }
}
