import { adapter as openAiChat } from '../../../src/protocols/openai-chat/openai-chat.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { chunk, say, stop, stream } from './streams.ts';

const done = (...blocks: readonly ExpectedFields[]): readonly ExpectedFields[] => [
  { status: 'complete', finish: 'complete', blocks },
];

describe('openai-chat, unusual choices', () => {
  testBodies(openAiChat, [
    {
      name: 'Together: the same text in both fields',
      body: stream(
        ...['<think>Hm</think>', 'Hel', 'lo'].map((words) => chunk({ content: words }, {}, { text: words })),
        stop(),
      ),
      messages: done(thought('Hm'), text('Hello')),
    },
    ...[0, 1].map((first) => ({
      name: `tokens numbered as choices, from ${String(first)}`,
      body: stream(
        ...['Hel', 'lo', '!'].map((words, at) => chunk({ content: words }, {}, { index: at + first })),
        stop(),
      ),
      messages: done(text('Hello!')),
    })),
    {
      name: 'two tokens numbered as choices, from 0',
      body: stream(...['Hel', 'lo'].map((words, index) => chunk({ content: words }, {}, { index })), stop()),
      messages: done(text('Hello')),
    },
    {
      name: 'two answers that begin with text',
      body: stream(
        ...[0, 1, 0, 1].map((index) => chunk({ content: index === 0 ? 'A' : 'B' }, {}, { index })),
        ...[0, 1].map((index) => chunk({}, {}, { index, finish_reason: 'stop' })),
      ),
      messages: done(text('AA')),
    },
    {
      name: 'two answers of one token',
      body: stream(
        ...[0, 1].map((index) => chunk({ content: index === 0 ? 'A' : 'B' }, {}, { index })),
        ...[0, 1].map((index) => chunk({}, {}, { index, finish_reason: 'stop' })),
      ),
      messages: done(text('A')),
    },
    {
      name: 'two answers: the first one is shown',
      body: stream(
        ...[0, 1, 0, 1, 0, 1].map((index, at) =>
          chunk(at < 2 ? { role: 'assistant' } : { content: index === 0 ? 'A' : 'B' }, {}, { index }),
        ),
        stop(),
      ),
      messages: done(text('AA')),
    },
  ]);
});

testDetection('openai-chat', {
  own: {
    'OpenRouter’s comments as data': `data: : OPENROUTER PROCESSING\n\ndata: : OPENROUTER PROCESSING\n\n${stream(say('Hi'), stop())}`,
  },
});
