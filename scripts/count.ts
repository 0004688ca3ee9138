/** The result of a step. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}
