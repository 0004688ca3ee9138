import type { AnyRenderer } from '../../../src/renderers.ts';

/** A renderer that is identified by its text. */
export const saying = (words: string, more: Partial<AnyRenderer> = {}): AnyRenderer => ({
  type: 'data',
  getProps: () => words,
  component: (said: string) => said,
  ...more,
});
