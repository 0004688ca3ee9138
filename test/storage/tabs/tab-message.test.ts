import { expect } from '@open-wc/testing';
import { isTabMessage, type TabMessage } from '../../../src/storage/tabs/tab-message.ts';
import type { ChatMessage } from '../../../src/model/message.ts';

const message: ChatMessage = {
  id: 'm',
  role: 'assistant',
  status: 'complete',
  timestamp: 1,
  blocks: [{ id: 'b', type: 'content', status: 'success', timestamp: 1, content: 'Hi' }],
};
const thread = 't';
const valid: Readonly<Record<TabMessage['type'], Readonly<Record<string, unknown>>>> = {
  messages: {
    type: 'messages',
    thread,
    title: '',
    changed: [message],
    order: { path: ['m'], hidden: [] },
    agent: { protocol: undefined, agentState: undefined },
    running: 1,
    stage: 'streaming',
  },
  hello: { type: 'hello' },
  here: { type: 'here' },
  ask: { type: 'ask', thread },
  stop: { type: 'stop', thread, ids: ['m'] },
  remove: { type: 'remove', thread, ids: ['m'] },
  'put-back': { type: 'put-back', thread, deleted: [{ message, childIds: new Set(['n']) }] },
  update: { type: 'update', thread, changed: [message], older: [message], newer: [message] },
  respond: { type: 'respond', thread, block: 'b', decision: 'granted', options: {}, answer: 'a' },
  responded: { type: 'responded', thread, answer: 'a', error: { message: 'No.', reason: 'closed' } },
  removed: { type: 'removed', thread },
  renamed: { type: 'renamed', thread, title: 'New' },
  approvals: { type: 'approvals', list: [] },
  forgotten: { type: 'forgotten' },
};
/** Fields without which a message is valid. */
const OPTIONAL = new Set(['order', 'agent', 'answer', 'error', 'older', 'newer', 'list']);

describe('a message of another tab', () => {
  for (const [type, whole] of Object.entries(valid)) {
    it(`${type} is valid, also as a copy`, () => {
      expect(isTabMessage(whole)).to.equal(true);
      expect(isTabMessage(structuredClone(whole))).to.equal(true);
    });

    for (const field of Object.keys(whole)) {
      it(`${type} is invalid with another kind of ${field}`, () => {
        const others: readonly unknown[] = [7.5, null, [null], [{}], { constructor: null }];
        // `agent` and `options` are objects with any fields; a list of approvals is checked where it is read.
        const odd = field === 'list' ? [] : others.filter((other) => !(isAnyObject(field) && isObject(other)));
        for (const other of odd)
          expect(isTabMessage({ ...whole, [field]: other }), JSON.stringify(other)).to.equal(false);
        const { [field]: _left, ...rest } = whole;
        if (field === 'ids') expect(isTabMessage(rest)).to.equal(type === 'stop');
        else
          expect(isTabMessage(rest), `without ${field}`).to.equal(
            OPTIONAL.has(field) && !(type === 'responded' && field === 'answer'),
          );
      });
    }
  }

  for (const [name, odd] of Object.entries({
    'no blocks': { ...message, blocks: undefined },
    'an empty block': { ...message, blocks: [null] },
    'a block without a type': { ...message, blocks: [{ id: 'b' }] },
    'no role': { ...message, role: undefined },
    'metadata that are no object': { ...message, metadata: 'x' },
    nothing: null,
  }))
    it(`is invalid if it contains a message with ${name}`, () => {
      for (const list of ['changed', 'older', 'newer'])
        expect(isTabMessage({ ...valid.update, [list]: [message, odd] })).to.equal(false);
      expect(isTabMessage({ ...valid.messages, changed: [odd] })).to.equal(false);
    });

  it('of an unknown type is invalid', () => {
    for (const type of ['', 'constructor', 'toString', 1, null, undefined])
      expect(isTabMessage({ type, thread })).to.equal(false);
  });
});

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isAnyObject = (field: string): boolean => field === 'agent' || field === 'options';
