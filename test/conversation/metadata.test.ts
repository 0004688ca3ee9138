import { expect } from '@open-wc/testing';
import { reduceRun, startRun } from '../../src/conversation/run.ts';
import type { ChatMessage } from '../../src/model/message.ts';

describe('rule 66: the metadata of a message', () => {
  const start: ChatMessage = { id: 'm', role: 'assistant', status: 'streaming', blocks: [], timestamp: 1 };
  const reduced = (events: readonly Readonly<Record<string, unknown>>[]): ChatMessage['metadata'] => {
    let run = startRun(start);
    const context = { now: 1, newId: () => 'n' };
    for (const metadata of events)
      run = reduceRun(run, { type: 'response', data: { eventId: 'e', metadata } }, context);
    return run.messages[0]?.metadata;
  };

  it('is merged', () => {
    expect(reduced([{ a: 1, b: 1 }, { b: 2 }])).to.deep.equal({ a: 1, b: 2 });
  });

  it('has at most 256 names, whose values may still change', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ [`key${String(index)}`]: index }));
    const metadata = reduced([...many, { key0: 'new' }]);
    expect(Object.keys(metadata ?? {}).length).to.equal(256);
    expect(metadata?.['key0']).to.equal('new');
    expect(
      Object.keys(reduced([Object.assign({}, ...many) as object as Record<string, unknown>]) ?? {}).length,
    ).to.equal(256);
  });
});
