import type { AnyRenderer } from '../../../src/renderers.ts';

/** A renderer that is known by what it says. */
export const saying = (words: string, more: Partial<AnyRenderer> = {}): AnyRenderer => ({
  type: 'data',
  getProps: () => words,
  component: (said: string) => said,
  ...more,
});
