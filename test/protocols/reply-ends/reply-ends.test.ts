import { expect } from '@open-wc/testing';
import { replyOutcome } from '../../../src/model/reply-outcome.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { playBody } from '../../support/play-body.ts';
import { replyEnds, type Reason } from './bodies.ts';

describe('how a reply ended', () => {
  for (const [protocol, ends] of Object.entries(replyEnds)) {
    for (const [reason, [notation, body]] of Object.entries(ends) as [Reason, readonly [string, string]][]) {
      it(`${protocol}, ${notation}: ${reason}`, async () => {
        const adapter = await protocols
          .list()
          .find(({ id }) => id === protocol)
          ?.load();
        if (!adapter) throw new Error(`There is no protocol "${protocol}".`);
        const { messages } = await playBody(adapter, body);
        const last = messages.at(-1);
        if (!last) throw new Error('There is no message.');
        const calls = messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'tool_call'));
        const outcome = replyOutcome(last);
        if (reason === 'tool')
          expect([calls.map(({ status }) => status), outcome]).to.deep.equal([['error'], 'complete']);
        else expect(outcome).to.equal(reason);
      });
    }
  }
});
