import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { adapter as anthropic } from '../../../src/protocols/anthropic/anthropic.ts';
import { assistant, conversation, toolBlock, user, type LooseBlock } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { rounds } from './streams.ts';

const hi = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'f', input });
const result = (id: string, content: string, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const signed = { type: 'thinking', thinking: 'Hm', signature: 'SIG' };
const textBlockOf = (content: string): LooseBlock => ({ type: 'content', content });

async function bodyAfter(messages: readonly ChatMessage[]): Promise<Record<string, unknown>> {
  const { init } = await anthropic.request({ ...emptyTurn, messages }, requestOptions);
  return JSON.parse(JSON.stringify(init.body)) as Record<string, unknown>;
}

describe('anthropic, history', () => {
  /** The request for a reply with these blocks and these stored rounds. */
  interface Row {
    readonly name: string;
    readonly blocks: readonly LooseBlock[];
    readonly kept: readonly (readonly object[])[];
    readonly sent: readonly object[];
    readonly more?: string;
  }
  const server = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
  const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [{ encrypted_content: 'OPAQUE' }] };
  const cited = { type: 'text', text: 'Cats.', citations: [{ url: 'u', encrypted_index: 'OPAQUE' }] };
  const rows: readonly Row[] = [
    {
      name: 'each round in its order, and later text that only the message has',
      blocks: [
        toolBlock('a', 'f', '{}', 'ok'),
        textBlockOf('One.'),
        toolBlock('b', 'f', '{}', 'ok'),
        textBlockOf(' Two.'),
      ],
      kept: [
        [signed, use('a')],
        [text('One.'), use('b')],
      ],
      sent: [
        { role: 'assistant', content: [signed, use('a')] },
        { role: 'user', content: [result('a', 'ok')] },
        { role: 'assistant', content: [text('One.'), use('b')] },
        { role: 'user', content: [result('b', 'ok')] },
        { role: 'assistant', content: [text(' Two.')] },
      ],
    },
    {
      name: 'repeated ids in a later round each have their own result',
      blocks: [toolBlock('a', 'f', '{}', 'one'), toolBlock('a', 'f', '{}', 'two')],
      kept: [[use('a')], [use('a')]],
      sent: [
        { role: 'assistant', content: [use('a')] },
        { role: 'user', content: [result('a', 'one')] },
        { role: 'assistant', content: [use('a')] },
        { role: 'user', content: [result('a', 'two')] },
      ],
    },
    {
      name: 'a call without a result is omitted, and no message ends with reasoning',
      blocks: [toolBlock('a', 'f', '{}', 'ok'), toolBlock('b', 'f', '{}')],
      kept: [
        [signed, use('a')],
        [signed, use('b')],
      ],
      sent: [
        { role: 'assistant', content: [signed, use('a')] },
        { role: 'user', content: [result('a', 'ok')] },
      ],
    },
    {
      name: 'the server’s tools, their results and the sources; blanks join the text before them',
      blocks: [textBlockOf('Cats. \n\nDogs.')],
      kept: [[server, found, cited, text(' '), text('\n\n'), text('Dogs.'), text('')]],
      sent: [{ role: 'assistant', content: [server, found, { ...cited, text: 'Cats. \n\n' }, text('Dogs.')] }],
    },
    {
      name: 'a server’s tool that was stopped while running is omitted',
      blocks: [textBlockOf('Wait')],
      kept: [[text('Wait'), server]],
      sent: [{ role: 'assistant', content: [text('Wait')] }],
      more: 'go on',
    },
    {
      name: 'a server’s tool that is still running stays if the reply continues',
      blocks: [textBlockOf('Wait')],
      kept: [[text('Wait'), server]],
      sent: [{ role: 'assistant', content: [text('Wait'), server] }],
    },
    {
      name: 'text that the page has changed',
      blocks: [textBlockOf('Other.'), toolBlock('a', 'f', '{}', 'ok'), textBlockOf(' More.')],
      kept: [
        [signed, text('One.'), use('a')],
        [signed, cited],
      ],
      sent: [
        { role: 'assistant', content: [signed, use('a')] },
        { role: 'user', content: [result('a', 'ok')] },
        { role: 'assistant', content: [signed, text('Other. More.')] },
      ],
    },
    {
      name: 'invalid stored data is omitted',
      blocks: [textBlockOf('One.')],
      kept: [[7, null, { text: 'x' }, text('One.')] as object[]],
      sent: [{ role: 'assistant', content: [text('One.')] }],
    },
  ];
  for (const { name, blocks, kept, sent, more } of rows) {
    it(name, async () => {
      const metadata = { rounds: kept.map((items) => ({ protocol: 'anthropic', items })) };
      const messages = conversation(user('hi'), assistant(blocks, { metadata }), ...(more ? [user(more)] : []));
      const body = await bodyAfter(messages);
      const expected = [hi, ...sent, ...(more ? [{ role: 'user', content: [text(more)] }] : [])];
      expect(body['messages']).to.deep.equal(expected);
    });
  }

  it('another protocol’s rounds are not sent', async () => {
    const metadata = { rounds: [{ protocol: 'other', items: [signed] }] };
    const { messages } = await bodyAfter(conversation(user('hi'), assistant('Hello', { metadata })));
    expect(messages).to.deep.equal([hi, { role: 'assistant', content: [text('Hello')] }]);
  });

  it('a container is used again in the same reply, and not in a later turn', async () => {
    const reply = assistant([toolBlock('a', 'f', '{}', 'ok')], {
      metadata: { ...rounds(use('a')), containerId: 'c1' },
    });
    expect(await bodyAfter(conversation(user('hi'), reply))).to.include({ container: 'c1' });
    expect(await bodyAfter(conversation(user('hi'), reply, user('more')))).not.to.have.property('container');
  });
});
