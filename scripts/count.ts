/** How a step went. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}
