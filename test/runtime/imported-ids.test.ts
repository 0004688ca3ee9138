import { expect } from '@open-wc/testing';
import { importHere } from '../../src/runtime/export-and-import.ts';
import { assistant, conversation, user } from '../support/messages.ts';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';

const long = (name: string): string => name.repeat(300);
const read = (messages: readonly MessageInput[], leaf: string) =>
  importHere({ messages: conversation(...messages), leaf }, 'json', { endpoint: '' });

describe('the ids of an imported conversation', () => {
  it('rule 104: are short, and messages, calls and permissions still refer to each other', () => {
    const call = { id: long('c'), name: 'find', params: '{}' };
    const { path, hidden } = read(
      [
        { ...user('Hello'), id: long('m') },
        {
          ...assistant('', {
            blocks: [
              { type: 'tool_call', id: long('b'), tool_call: call, status: 'success' },
              { type: 'content', content: 'Found', parentId: long('b') },
              {
                type: 'action',
                action_type: 'tool_call_permission',
                status: 'granted',
                callBlockId: long('b'),
                tool_call: call,
              },
            ],
          }),
          id: long('n'),
          parentId: long('m'),
        },
        { ...assistant('Other'), id: 'other', parentId: long('m') },
      ],
      long('n'),
    );
    const [question, answer] = path;
    const [branch] = hidden;
    const [tool, content, action] = answer!.blocks as readonly Readonly<Record<string, unknown>>[];
    const calls = [tool, action].map((block) => (block!['tool_call'] as { readonly id: string }).id);
    const ids = [question!.id!, answer!.id!, tool!['id'] as string, calls[0]!];
    expect(ids.filter((id) => id.length > 200)).to.deep.equal([]);
    expect(new Set(ids).size).to.equal(4);
    expect([answer!.parentId, branch!.parentId]).to.deep.equal([question!.id, question!.id]);
    expect([content!['parentId'], action!['callBlockId']]).to.deep.equal([tool!['id'], tool!['id']]);
    expect(calls[1]).to.equal(calls[0]);
    expect(branch!.id).to.equal('other');
  });

  it('rule 104: of its server are text or numbers', () => {
    const metadata = { messageId: { toString: 'x' }, sessionId: ['a'], runId: 'r', taskId: 5, answer: { a: 1 } };
    const { path } = read([{ ...assistant('Hi', { metadata }), id: 'a' }], 'a');
    expect(path[0]!.metadata).to.deep.equal({ runId: 'r', taskId: 5, answer: { a: 1 } });
  });
  for (const field of ['id', 'parentId'])
    it(`rule 104: that are objects are refused: ${field}`, () => {
      const [message] = conversation(user('Hi'));
      const data = { messages: [{ ...message, [field]: { a: 1 } }], leaf: 'a' };
      expect(() => importHere(data, 'json', { endpoint: '' })).to.throw(field);
    });
});
