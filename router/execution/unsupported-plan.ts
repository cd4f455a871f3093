// Signals that a plan needs the stock gateway: thrown while an operation is prepared, never while it runs.
export class UnsupportedPlan extends Error {
  override name = 'UnsupportedPlan';
}
