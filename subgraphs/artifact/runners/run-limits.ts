// What one run may take of the machine.
export interface RunLimits {
  readonly cores: number;
  /** Bytes. */
  readonly ram: number;
  /** Bytes. */
  readonly disk: number;
  readonly timeSeconds: number;
}
