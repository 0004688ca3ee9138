import { adapter as coze } from '../../../src/protocols/coze/coze.ts';
import { pcmToWav } from '../../../src/protocols/shared/files/pcm-wav.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call as toolBlock, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { byName } from '../../support/named-events.ts';
import { sse } from '../../support/play-body.ts';
import { call, chat, done, end, event, say, stream, waits, whole } from './streams.ts';

const known = { conversationId: 'c', chatId: 'k' };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const reply = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  usage,
  metadata: { ...known, messageId: 'm' },
  ...more,
  blocks,
});
/** A chat that ended otherwise, without usage. */
const other = (blocks: readonly ExpectedFields[], finish: string, more: ExpectedFields = {}): ExpectedFields => {
  const { usage: _none, ...rest } = reply(blocks, { status: finish, finish, ...more });
  return rest;
};
const fetching: ExpectedFields = {
  type: 'status',
  phase: 'tool_calling',
  extra: { steps: [{ phase: 'tool_calling' }] },
};
const weather = '{"name":"weather","arguments":{"city":"Rome"},"plugin_name":"w"}';

const items = [
  { type: 'text', text: 'See this.' },
  { type: 'image', file_url: 'https://a.example/a.png' },
  { type: 'file', file_url: 'https://a.example/b.pdf', name: 'b.pdf' },
  { type: 'image', file_id: '7' },
];

/** A message of a node in a workflow. */
const node = (content: string, part: number, isLast = false, title = 'End'): string =>
  event('Message', { content, node_title: title, node_seq_id: String(part), node_is_finish: isLast, ext: null });
const finished = event('Done', { debug_url: 'https://a.example/' });
const flow = (...blocks: readonly ExpectedFields[]): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  blocks,
});

describe('coze, a workflow without a chat', () => {
  testBodies(coze, [
    {
      name: 'text in parts',
      body: node('Hel', 0) + node('lo', 1) + event('PING', {}) + node('', 2, true) + finished,
      messages: [flow(text('Hello'))],
    },
    {
      name: 'a node that returns a variable',
      body: node('{"output":"Hello"}', 0, true) + finished,
      messages: [flow(text('Hello'))],
    },
    {
      name: 'a node that returns several variables',
      body: node('{"a":"1","b":"2"}', 0, true) + finished,
      messages: [flow(text('{"a":"1","b":"2"}'))],
    },
    {
      name: 'an error after text',
      body: node('Half', 0) + event('Error', { error_code: 4000, error_message: 'Over quota' }),
      messages: [{ ...flow(text('Half'), failure('Over quota', { code: '4000' })), status: 'error', finish: 'error' }],
    },
    {
      name: 'a question, which can’t be answered here',
      body: event('Interrupt', { interrupt_data: { event_id: 'e', type: 2, data: '' }, node_title: 'Ask' }),
      messages: [
        {
          ...flow(
            failure('The workflow asks a question, which is only possible in a chat workflow.', { code: 'interrupt' }),
          ),
          status: 'error',
          finish: 'error',
        },
      ],
    },
  ]);
});

describe('coze', () => {
  testBodies(coze, [
    {
      name: 'text, and then its repetition',
      body: stream(say('Hel'), say('lo'), whole('answer', 'Hello'), end, done),
      messages: [reply([text('Hello')])],
    },
    {
      name: 'the complete message wins',
      body: stream(say('Hel'), whole('answer', 'Hello there'), end, done),
      messages: [reply([text('Hello there')])],
    },
    {
      name: 'thoughts',
      body: stream(
        say('', { reasoning_content: 'Hm' }),
        say('Yes'),
        whole('answer', 'Yes', 'm', { reasoning_content: 'Hm' }),
        end,
      ),
      messages: [reply([thought('Hm'), text('Yes')])],
    },
    {
      name: 'thoughts that the complete message does not repeat',
      body: stream(say('', { reasoning_content: 'Hm' }), say('Hi'), whole('answer', 'Hi!'), end),
      messages: [reply([thought('Hm'), text('Hi!')])],
    },
    {
      name: 'thoughts that only the complete message has',
      body: stream(say('Hi'), whole('answer', 'Hi', 'm', { reasoning_content: 'Hm' }), end),
      messages: [reply([thought('Hm'), text('Hi')])],
    },
    {
      name: 'text and files in one message',
      body: stream(
        say('[{"type":', { content_type: 'object_string' }),
        whole('answer', JSON.stringify(items), 'm', { content_type: 'object_string' }),
        end,
      ),
      messages: [
        reply([
          text('See this.'),
          { type: 'image', url: 'https://a.example/a.png' },
          { type: 'file', url: 'https://a.example/b.pdf', name: 'b.pdf' },
        ]),
      ],
    },
    {
      name: 'a card, whose chunks are JSON',
      body: stream(
        say('{"card_type":3,', { content_type: 'card' }),
        say('"data":{"a":1}}', { content_type: 'card' }),
        whole('answer', '{"card_type":3,"data":{"a":1}}', 'm', { content_type: 'card' }),
        end,
        done,
      ),
      messages: [
        reply([
          {
            type: 'data',
            data: { data_type: 'custom', data: { card_type: 3, data: { a: 1 } }, metadata: { dataType: 'card' } },
            extra: { dataId: 'card:m' },
          },
        ]),
      ],
    },
    {
      name: 'a card that is only text',
      body: stream(
        say('Hi', { content_type: 'card' }),
        whole('answer', 'Hi', 'm', { content_type: 'card' }),
        end,
        done,
      ),
      messages: [reply([text('Hi')])],
    },
    {
      name: 'a list of items that is not one',
      body: stream(whole('answer', 'See this.', 'm', { content_type: 'object_string' }), end),
      messages: [reply([text('See this.')])],
    },
    {
      name: 'suggestions, and events without content',
      body: stream(
        say('Hi'),
        whole('answer', 'Hi'),
        whole('verbose', '{"msg_type":"generate_answer_finish"}', 'v'),
        whole('follow_up', 'More?', 'f1'),
        whole('follow_up', 'Why?', 'f2'),
        end,
        done,
      ),
      messages: [
        reply([text('Hi')], {
          suggestions: [
            { label: 'More?', prompt: 'More?' },
            { label: 'Why?', prompt: 'Why?' },
          ],
        }),
      ],
    },
    {
      name: 'calls of plugins, answered in their order',
      body: stream(
        whole('function_call', weather, 'f1'),
        whole('function_call', '{"name":"news"}', 'f2'),
        whole('tool_response', 'sunny', 't1'),
        whole('tool_response', '{"a":1}', 't2'),
        say('Hi', { id: 'm' }),
        end,
        done,
      ),
      messages: [
        reply(
          [
            fetching,
            toolBlock('f1', 'weather', { params: '{"city":"Rome"}', response: 'sunny' }, { extra: { remote: true } }),
            toolBlock('f2', 'news', { params: '{}', response: '{"a":1}' }, { extra: { remote: true } }),
          ],
          { usage: undefined, metadata: known },
        ),
        reply([text('Hi')], { metadata: { messageId: 'm' } }),
      ].map(withoutUndefined),
    },
    {
      name: 'a plugin that has no result',
      body: stream(whole('function_call', weather, 'f1'), end, done),
      messages: [
        reply([fetching, toolBlock('f1', 'weather', { params: '{"city":"Rome"}' }, { extra: { remote: true } })], {
          metadata: known,
        }),
      ],
    },
    {
      name: 'a call for the page is shown once',
      body: stream(whole('function_call', weather, 'f1'), waits(call('w1', 'weather', '{"city":"Rome"}')), done),
      messages: [
        other(
          [fetching, toolBlock('w1', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading' })],
          'complete',
          {
            finish: 'tool_use',
            metadata: { ...known, waitingCalls: ['w1'] },
          },
        ),
      ],
    },
    {
      name: 'a workflow that waits for the next message',
      body: stream(say('Which city?'), waits({ id: '', type: 'reply_message', function: null }), done),
      messages: [other([text('Which city?')], 'complete')],
    },
    {
      name: 'sound',
      body: stream(
        event('conversation.audio.delta', { id: 'm', content: btoa('a') }),
        event('conversation.audio.delta', { id: 'm', content: btoa('b') }),
        end,
      ),
      messages: [reply([{ type: 'audio', data: pcmToWav([btoa('ab')]), mimeType: 'audio/wav' }], { metadata: known })],
    },
    {
      name: 'audio after the end',
      body: stream(say('Hi'), end, event('conversation.audio.delta', { id: 'm', content: btoa('a') })),
      messages: [reply([text('Hi'), { type: 'audio', data: pcmToWav([btoa('a')]), mimeType: 'audio/wav' }])],
    },
    {
      name: 'a chat that has failed',
      body: stream(say('Hi'), chat('failed', { last_error: { code: 5000, msg: 'Boom' } }), done),
      messages: [other([text('Hi'), failure('Boom', { code: '5000' })], 'error')],
    },
    {
      name: 'a chat that was stopped',
      body: stream(say('Hi'), chat('canceled')),
      messages: [other([text('Hi')], 'cancelled')],
    },
    {
      name: 'an error in the stream',
      body: stream(say('Hi'), event('error', { code: 4000, msg: 'Bad' })),
      messages: [other([text('Hi'), failure('Bad', { code: '4000' })], 'error')],
    },
    {
      name: 'a refusal as a document',
      body: '{"code":4100,"msg":"Wrong token","detail":{"logid":"x"}}',
      messages: [other([failure('Wrong token', { code: '4100' })], 'error', { metadata: undefined })].map(
        withoutUndefined,
      ),
    },
    {
      name: 'no end: interrupted',
      body: stream(say('Hi')),
      messages: [other([text('Hi')], 'error', { status: 'interrupted' })],
      problem: 'cut',
    },
    {
      name: 'an end marker with a debugging address',
      body: stream(say('Hi'), end, event('done', { debug_url: 'https://b.example' })),
      messages: [reply([text('Hi')])],
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: stream(event('conversation.dream', { id: 'x' }), event('conversation.message.delta', 7), say('Hi'), end),
      messages: [reply([text('Hi')])],
      warnings: ['unknown', 'malformed'],
    },
  ]);

  const ids = { id: 'k', conversation_id: 'c', chat_id: 'k' };
  const message = { ...ids, role: 'assistant', content_type: 'text' };
  testNeverThrows(byName(coze), [
    { name: 'conversation.chat.created', data: ids },
    {
      name: 'conversation.message.delta',
      data: { ...message, type: 'answer', content: 'x', reasoning_content: 'y' },
    },
    {
      name: 'conversation.message.completed',
      data: { ...message, type: 'answer', content: 'z', reasoning_content: 'y' },
    },
    {
      name: 'conversation.message.completed',
      data: { ...message, content_type: 'object_string', type: 'answer', content: JSON.stringify(items) },
    },
    { name: 'conversation.message.completed', data: { ...message, type: 'function_call', content: weather } },
    { name: 'conversation.message.completed', data: { ...message, type: 'tool_response', content: 'x' } },
    { name: 'conversation.message.completed', data: { ...message, type: 'follow_up', content: 'x' } },
    { name: 'conversation.audio.delta', data: { ...message, content: 'AA==' } },
    {
      name: 'conversation.chat.requires_action',
      data: { ...ids, required_action: { submit_tool_outputs: { tool_calls: [call('w', 'f', '{}')] } } },
    },
    {
      name: 'conversation.chat.completed',
      data: { ...ids, usage: { token_count: 1, output_count: 1, input_count: 1 } },
    },
    { name: 'conversation.chat.canceled', data: ids },
    { name: 'conversation.chat.failed', data: { ...ids, last_error: { code: 1, msg: 'x' } } },
    { name: 'error', data: { code: 1, msg: 'x' } },
    { name: 'done', data: '[DONE]' },
    { code: 1, msg: 'x' },
  ]);

  testDetection('coze', {
    own: {
      'a chat': stream(say('Hi'), end, done),
      'a message alone': say('Hi'),
    },
    others: {
      'a name of OpenAI’s': ['event: conversation\ndata: {"id":"x"}\n\n', 'unsupported-stream'],
      'no name': [sse({ id: 'm', type: 'answer', content: 'x' }), '(?!coze)'],
    },
    urls: ['https://api.coze.cn/v3/chat', 'https://api.coze.com/v1/workflows/chat'],
    otherUrls: ['https://api.coze.cn/v3/chat/cancel'],
  });
});

function withoutUndefined(message: ExpectedFields): ExpectedFields {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
}
