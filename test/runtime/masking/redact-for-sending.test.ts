import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { createMessageRedactor, redactAnswer } from '../../../src/runtime/masking/redact-for-sending.ts';

describe('a redacted answer', () => {
  it('has no text of the user unchanged, however deep in a form', () => {
    let payload: unknown = 'Ann';
    for (let depth = 0; depth < 60; depth++) payload = depth % 2 === 0 ? { value: payload } : [payload];
    const answer = { decision: 'answered', blockId: 'b', actionType: 'question', payload } as const;
    const redacted = redactAnswer(answer, (text) => text.replaceAll('Ann', 'A.'));
    expect(JSON.stringify(redacted.payload)).to.contain('"A."').and.not.to.contain('Ann');
  });

  for (const [card, sent] of [
    [4111111111111111, '[card]'],
    [41.5, 40],
    [7, 7],
  ] as const) {
    it(`rule 121: has its numbers redacted as text: ${String(card)} is sent as ${String(sent)}`, () => {
      const answer = {
        decision: 'granted',
        blockId: 'b',
        actionType: 'tool_call_permission',
        payload: { card, list: [card, true] },
        arguments: { card },
      } as const;
      const redacted = redactAnswer(answer, (text) => text.replace(/^\d{12,}$/, '[card]').replace('41.5', '40'));
      expect([redacted.payload, redacted.arguments]).to.deep.equal([
        { card: sent, list: [sent, true] },
        { card: sent },
      ]);
    });
  }

  it('has the arguments that the user has approved for a function of the page', () => {
    const answer = {
      decision: 'granted',
      blockId: 'b',
      actionType: 'tool_call_permission',
      callBlockId: 'c',
      extra: { byPage: true },
      note: 'For Ann',
      arguments: { to: 'Ann' },
    } as const;
    const redacted = redactAnswer(answer, (text) => text.replaceAll('Ann', 'A.'));
    expect([redacted.note, redacted.arguments]).to.deep.equal(['For A.', { to: 'Ann' }]);
  });
});

describe('rule 121: what the user has written into a reply', () => {
  const base = { status: 'granted', timestamp: 0 } as const;
  const text = { ...base, type: 'content', id: 't', content: 'Ann', format: 'text' } as const;
  const reply = (...blocks: ChatMessage['blocks']): ChatMessage => ({
    ...{ role: 'assistant', id: 'r', status: 'complete', timestamp: 0 },
    blocks,
  });
  const question = (extra: object): ChatMessage['blocks'][number] => ({
    ...base,
    type: 'action',
    id: 'q',
    action_type: 'tool_call_permission',
    callBlockId: 'c',
    extra: { label: 'Ann', ...extra },
  });
  const call = (params: string): ChatMessage['blocks'][number] => ({
    ...base,
    type: 'tool_call',
    id: 'c',
    tool_call: { id: 'server-id', name: 'f', params },
  });
  const redact = createMessageRedactor((words) => words.replaceAll('Ann', 'A.').replace('41', '#'));

  it('is redacted in notes and answers, and nothing that the agent has written', () => {
    const { blocks } = redact(reply(text, question({ note: 'For Ann', answer: 'Ann · 1', decided: 41 })));
    expect(blocks[0]).to.equal(text);
    expect(blocks[1]?.extra).to.deep.equal({ label: 'Ann', note: 'For A.', answer: 'A. · 1', decided: 41 });
  });

  it('is redacted in changed arguments of a call, also of an earlier message', () => {
    const messages = [reply(call('{"to":"Ann","cents":41}')), reply(question({ edited: true }))];
    const params = (list: readonly ChatMessage[]): unknown => {
      const [block] = list[0]?.blocks ?? [];
      return block?.type === 'tool_call' && block.tool_call.params;
    };
    expect(params(messages.map(redact))).to.equal('{"to":"A.","cents":"#"}');
    expect(params([reply(call('Ann asks')), reply(question({ edited: true }))].map(redact))).to.equal('A. asks');
    expect(params([reply(call('{"to":"Ann"}')), reply(question({}))].map(redact))).to.equal('{"to":"Ann"}');
  });

  it('is redacted once, and a reply without it stays the same object', () => {
    const [plain, noted] = [reply(text, call('{"to": "Ann"}')), reply(question({ note: 'Ann' }))];
    expect(redact(plain)).to.equal(plain);
    expect(redact(noted)).to.equal(redact(noted));
    expect(redact(noted)).not.to.equal(noted);
  });
});

describe('rule 121: what the user has entered into a surface', () => {
  const pressed = (data: object) =>
    ({
      role: 'user',
      id: 'u',
      status: 'sending',
      timestamp: 0,
      blocks: [{ type: 'content', id: 'c', status: 'success', timestamp: 0, content: 'Book, Ann', format: 'text' }],
      metadata: { data },
    }) as const;
  const redact = createMessageRedactor((text) => text.replaceAll('Ann', 'A.'));

  it('is redacted, also in lists and in the data of the surface', () => {
    const { blocks, metadata } = redact(
      pressed({
        surfaceId: 's',
        name: 'book',
        context: { name: 'Ann', guests: ['Ann', 2] },
        dataModel: { form: { name: 'Ann', isNew: true } },
      }),
    );
    expect(blocks[0]).to.include({ content: 'Book, A.' });
    expect(metadata).to.deep.equal({
      data: {
        surfaceId: 's',
        name: 'book',
        context: { name: 'A.', guests: ['A.', 2] },
        dataModel: { form: { name: 'A.', isNew: true } },
      },
    });
  });

  it('has no field that was not there', () => {
    expect(redact(pressed({ surfaceId: 's', name: 'book' })).metadata).to.deep.equal({
      data: { surfaceId: 's', name: 'book' },
    });
  });

  it('is not what the page sends with a message', () => {
    expect(redact(pressed({ context: { customer: 'Ann' } })).metadata).to.deep.equal({
      data: { context: { customer: 'Ann' } },
    });
  });
});
