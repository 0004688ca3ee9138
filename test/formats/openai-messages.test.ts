import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';
import { openAiMessage, type OpenAiMessage } from '../../src/formats/openai-message.ts';
import { toOpenAiMessages } from '../../src/formats/openai-messages.ts';
import { fromOpenAiMessages } from '../../src/formats/read-openai-messages.ts';
import { z } from '../../src/model/schema.ts';
import { bareMessage, call, text, thought } from '../support/bare.ts';
import { assistant, conversation, system, toolBlock, user } from '../support/messages.ts';

const toolCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});

interface Row {
  readonly name: string;
  readonly input: readonly MessageInput[];
  readonly expected: readonly OpenAiMessage[];
}

const rows: readonly Row[] = [
  {
    name: 'words of both',
    input: [user('hi'), assistant('Hello'), user('more')],
    expected: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'more' },
    ],
  },
  { name: 'a system message', input: [system('Be kind.')], expected: [{ role: 'system', content: 'Be kind.' }] },
  {
    name: 'words in several blocks go as a string, which servers that refuse lists take',
    input: [
      {
        role: 'user',
        blocks: [
          { type: 'content', content: 'a' },
          { type: 'content', content: 'b' },
        ],
      },
    ],
    expected: [{ role: 'user', content: 'a\nb' }],
  },
  {
    name: 'a message with nothing a model can be sent',
    input: [{ role: 'user', blocks: [{ type: 'data', data: { data_type: 'custom', data: 1 } }] }],
    expected: [{ role: 'user', content: '' }],
  },
  {
    name: 'pictures, inline and by URL',
    input: [
      user('look', {
        attachments: [
          { kind: 'image', data: 'AA', mimeType: 'image/png' },
          { kind: 'image', url: 'https://a.example/x.png' },
        ],
      }),
    ],
    expected: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'image_url', image_url: { url: 'https://a.example/x.png' } },
        ],
      },
    ],
  },
  {
    name: 'recordings, with the names that formats have there',
    input: [
      user('listen', {
        attachments: [
          { kind: 'audio', data: 'AA', mimeType: 'audio/wav' },
          { kind: 'audio', data: 'BB', mimeType: 'audio/mpeg' },
          { kind: 'audio', data: 'CC', mimeType: 'audio/x-wav' },
          { kind: 'audio', data: 'DD' },
        ],
      }),
    ],
    expected: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'listen' },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
          { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } },
          { type: 'input_audio', input_audio: { data: 'CC', format: 'wav' } },
          { type: 'input_audio', input_audio: { data: 'DD', format: 'wav' } },
        ],
      },
    ],
  },
  {
    name: 'files, with and without a name',
    input: [
      user('read', {
        attachments: [
          { kind: 'file', data: 'AA', mimeType: 'application/pdf', name: 'a.pdf' },
          { kind: 'file', data: 'BB', mimeType: 'text/plain' },
        ],
      }),
    ],
    expected: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'read' },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' } },
          { type: 'file', file: { file_data: 'data:text/plain;base64,BB' } },
        ],
      },
    ],
  },
  {
    name: 'calls with their results, and words after them as the next message',
    input: [
      assistant([
        { type: 'content', content: 'Wait.' },
        toolBlock('c1', 'f', '{"a": 1}', 'one'),
        toolBlock('c2', 'g', '', 'two', true),
        { type: 'content', content: 'Done.' },
      ]),
    ],
    expected: [
      { role: 'assistant', content: 'Wait.', tool_calls: [toolCall('c1', 'f', '{"a": 1}'), toolCall('c2', 'g', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      { role: 'assistant', content: 'Done.' },
    ],
  },
  {
    name: 'calls without words',
    input: [assistant([toolBlock('c1', 'f', '{}', 'one')])],
    expected: [
      { role: 'assistant', content: null, tool_calls: [toolCall('c1', 'f', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
    ],
  },
  {
    name: 'a call that nobody answered is left out, since the server wants an answer to each',
    input: [assistant([{ type: 'content', content: 'Wait.' }, toolBlock('c1', 'f', '{}')])],
    expected: [{ role: 'assistant', content: 'Wait.' }],
  },
  {
    name: 'an answer that is only an error says nothing',
    input: [user('hi'), assistant([{ type: 'error', status: 'error', content: 'boom' }])],
    expected: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'thoughts go with what they led to',
    input: [
      assistant([
        { type: 'reasoning_content', content: 'Look.' },
        toolBlock('c1', 'f', '{}', 'one'),
        { type: 'reasoning_content', content: 'Say.' },
        { type: 'content', content: 'One.' },
      ]),
    ],
    expected: [
      { role: 'assistant', content: null, reasoning_content: 'Look.', tool_calls: [toolCall('c1', 'f', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'assistant', content: 'One.', reasoning_content: 'Say.' },
    ],
  },
  {
    name: 'one named agent is the assistant',
    input: [user('hi'), assistant('A', { name: 'Ann' }), assistant('B', { name: 'Ann' })],
    expected: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'A' },
      { role: 'assistant', content: 'B' },
    ],
  },
  {
    name: 'where several named agents speak, each one’s words are a user’s with the name in front (Formatter)',
    input: [user('hi'), assistant('A', { name: 'Ann' }), assistant('B', { name: 'Bob' }), assistant('C')],
    expected: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: '[Ann]: A' },
      { role: 'user', content: '[Bob]: B' },
      { role: 'assistant', content: 'C' },
    ],
  },
  {
    name: 'the calls of one of several agents stay calls, with their results (Formatter)',
    input: [
      assistant(
        [
          { type: 'content', content: 'I look.' },
          toolBlock('c1', 'look', '{}', 'found'),
          { type: 'content', content: 'Here.' },
        ],
        { name: 'Ann' },
      ),
      assistant([toolBlock('c2', 'read', '{}', 'read')], { name: 'Bob' }),
    ],
    expected: [
      { role: 'user', content: '[Ann]: I look.' },
      { role: 'assistant', content: null, tool_calls: [toolCall('c1', 'look', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'found' },
      { role: 'user', content: '[Ann]: Here.' },
      { role: 'assistant', content: null, tool_calls: [toolCall('c2', 'read', '{}')] },
      { role: 'tool', tool_call_id: 'c2', content: 'read' },
    ],
  },
];

describe('toOpenAiMessages', () => {
  for (const { name, input, expected } of rows) {
    it(name, () => {
      expect(toOpenAiMessages(conversation(...input))).to.deep.equal(expected);
    });
  }

  it('puts the system text in front', () => {
    expect(toOpenAiMessages(conversation(user('hi')), { system: 'Be kind.' })[0]).to.deep.equal({
      role: 'system',
      content: 'Be kind.',
    });
  });

  it('leaves out the thoughts of finished turns where a provider is sent the history', () => {
    const thinking = (words: string, field?: string): MessageInput =>
      assistant(
        [
          { type: 'reasoning_content', content: words },
          { type: 'content', content: 'x' },
        ],
        field === undefined ? {} : { metadata: { thoughtsAs: field } },
      );
    const sent = toOpenAiMessages(
      conversation(
        user('one'),
        thinking('old', 'reasoning_content'),
        user('two'),
        thinking('new', 'reasoning_content'),
        thinking('other'),
      ),
      { reasoning: 'unfinished-turn' },
    );
    expect(sent.map((message) => ('reasoning_content' in message ? message.reasoning_content : ''))).to.deep.equal([
      '',
      '',
      '',
      'new',
      '',
    ]);
  });
});

const readings: readonly {
  readonly name: string;
  readonly input: readonly object[];
  readonly expected: readonly object[];
}[] = [
  {
    name: 'words',
    input: [
      { role: 'system', content: 'Be kind.' },
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'hi', name: 'Ann' },
      { role: 'assistant', content: 'Hello' },
    ],
    expected: [
      { role: 'system', blocks: [text('Be kind.')] },
      { role: 'system', blocks: [text('Be brief.')] },
      { role: 'user', name: 'Ann', blocks: [text('hi', { format: 'text' })] },
      { finish: 'complete', blocks: [text('Hello')] },
    ],
  },
  {
    name: 'parts',
    input: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'image_url', image_url: { url: 'https://a.example/x.png' } },
          { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC' } },
          { type: 'file', file: { file_data: 'https://a.example/a.pdf' } },
        ],
      },
    ],
    expected: [
      {
        role: 'user',
        blocks: [
          text('look', { format: 'text' }),
          { type: 'image', image_data: { mimeType: 'image/png', data: 'AA' } },
          { type: 'image', url: 'https://a.example/x.png' },
          { type: 'audio', data: 'BB', mimeType: 'audio/mp3' },
          { type: 'file', mimeType: 'application/pdf', data: 'CC', name: 'a.pdf' },
          { type: 'file', url: 'https://a.example/a.pdf' },
        ],
      },
    ],
  },
  {
    name: 'a result goes into the block of its call',
    input: [
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Look.',
        tool_calls: [toolCall('c1', 'f', '{}'), toolCall('c2', 'g', '{}')],
      },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'one' }] },
    ],
    expected: [
      {
        finish: 'complete',
        blocks: [
          thought('Look.'),
          call('c1', 'f', { params: '{}', response: 'one' }),
          call('c2', 'g', { params: '{}' }, { status: 'loading' }),
        ],
      },
    ],
  },
];

describe('fromOpenAiMessages', () => {
  for (const { name, input, expected } of readings) {
    it(name, () => {
      const messages = conversation(...fromOpenAiMessages(z.array(openAiMessage).parse(input)));
      expect(messages.map((message) => ({ ...bareMessage(message), status: undefined }))).to.deep.equal(
        expected.map((message) => ({ ...message, status: undefined })),
      );
    });
  }

  for (const { name, expected } of rows) {
    it(`gives back what it was given: ${name}`, () => {
      expect(toOpenAiMessages(conversation(...fromOpenAiMessages(expected)))).to.deep.equal(expected);
    });
  }
});
