import { expect } from '@open-wc/testing';
import { adapter as langgraph } from '../../../src/protocols/langgraph/langgraph.ts';
import type { ExpectedFields } from '../../support/bare.ts';
import { playBody } from '../../support/play-body.ts';

export const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});

interface Row {
  readonly name: string;
  readonly body: string;
  readonly messages: readonly ExpectedFields[];
  readonly warnings?: readonly string[];
  readonly problem?: string;
}

/** Each body results in the messages of its test case, without the metadata for later requests. */
export function testShown(rows: readonly Row[]): void {
  for (const { name, body, messages, warnings = [], problem } of rows) {
    it(name, async () => {
      const played = await playBody(langgraph, body);
      expect(played.seen.map(({ metadata: _kept, ...rest }) => rest)).to.deep.equal(messages);
      expect(played.warnings.map(({ kind }) => kind)).to.deep.equal(warnings);
      expect(played.problem).to.equal(problem);
    });
  }
}
