import { expect } from '@open-wc/testing';
import { adapter as adapter } from '../../../src/protocols/text.ts';
import { testNeverThrows, testRequests } from '../../support/adapter-tests.ts';
import { failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { assistant, user } from '../../support/messages.ts';
import { playBody, sse } from '../../support/play-body.ts';

const complete = (...blocks: readonly ExpectedFields[]): readonly ExpectedFields[] => [
  { status: 'complete', finish: 'complete', blocks },
];

const rows: readonly { readonly name: string; readonly body: string; readonly messages: readonly ExpectedFields[] }[] =
  [
    {
      name: 'text, unchanged',
      body: 'Grüße, 世界 🌍\n\n**bold**',
      messages: complete(text('Grüße, 世界 🌍\n\n**bold**')),
    },
    { name: 'white space at both ends', body: '  a\n', messages: complete(text('  a\n')) },
    { name: 'lines of a list', body: '- a\r\n- b', messages: complete(text('- a\r\n- b')) },
    {
      name: 'text that looks like an event later',
      body: 'Send\n\ndata: {"a":1}\n\n',
      messages: complete(text('Send\n\ndata: {"a":1}\n\n')),
    },
    {
      name: 'text in brackets',
      body: '[link](https://a.example)',
      messages: complete(text('[link](https://a.example)')),
    },
    { name: 'a tag that is no HTML page', body: '<b>Hi</b>', messages: complete(text('<b>Hi</b>')) },
    { name: 'reasoning in tags', body: '<think>\nHm\n</think>\n\nYes', messages: complete(thought('Hm'), text('Yes')) },
    { name: 'reasoning that is never closed', body: '<think>Hm', messages: complete(thought('Hm')) },
    { name: 'only a closing tag', body: 'Hm\n</think>\nYes', messages: complete(thought('Hm'), text('Yes')) },
    { name: 'a partial tag at the end', body: '<thi', messages: complete(text('<thi')) },
    {
      name: 'events whose data is text',
      body: sse('Hel', 'lo', ' you', '[DONE]'),
      messages: complete(text('Hello you')),
    },
    {
      name: 'the end as a named event',
      body: 'event: output\ndata: Hel\n\nevent: output\ndata: lo\n\nevent: done\ndata: {}\n\n',
      messages: complete(text('Hello')),
    },
    {
      name: 'only the end, which is no reply',
      body: sse('[DONE]'),
      messages: [{ status: 'interrupted', finish: 'error', blocks: [] }],
    },
    {
      name: 'an error as a named event',
      body: 'event: output\ndata: Hello\n\nevent: error\ndata: {"detail":"Out of memory"}\n\n',
      messages: [{ status: 'error', finish: 'error', blocks: [text('Hello'), failure('Out of memory')] }],
    },
    {
      name: 'only an error',
      body: 'event: error\ndata: Out of memory\n\n',
      messages: [{ status: 'error', finish: 'error', blocks: [failure('Out of memory')] }],
    },
    { name: 'an event on several lines', body: 'data: a\ndata: b\n\n', messages: complete(text('a\nb')) },
    {
      name: 'an incomplete event',
      body: 'data: a\n\ndata: b',
      messages: complete(text('ab')),
    },
  ];

describe('text', () => {
  for (const { name, body, messages } of rows) {
    it(name, async () => {
      const played = await playBody(adapter, body);
      expect(played.seen).to.deep.equal(messages);
      expect(played.warnings).to.deep.equal([]);
    });
  }

  it('an empty body is empty', async () => {
    expect((await playBody(adapter, '')).seen).to.deep.equal([{ status: 'interrupted', finish: 'error', blocks: [] }]);
  });

  testNeverThrows(adapter, ['x', '<think>x</think>y', 'x\n</think>\ny']);

  const said = (id: string, role: string, content: string) => ({
    ...{ id, role, content },
    parts: [{ type: 'text', text: content, content }],
  });
  testRequests(adapter, [
    {
      name: 'the fields of the first request with auto',
      messages: [user('hi'), assistant('Hello'), user('more')],
      turn: { text: 'more' },
      body: {
        stream: true,
        messages: [said('m1', 'user', 'hi'), said('m2', 'assistant', 'Hello'), said('m3', 'user', 'more')],
        message: 'more',
        ...{ id: 'thread', threadId: 'thread', runId: 'm3' },
        ...{ state: {}, tools: [], context: [], forwardedProps: {} },
      },
    },
  ]);
});
