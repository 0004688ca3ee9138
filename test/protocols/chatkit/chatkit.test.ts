import { adapter as chatKit } from '../../../src/protocols/chatkit/chatkit.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import {
  added,
  content,
  delta,
  done,
  item,
  replyMetadata,
  removed,
  replaced,
  assistantMessage,
  stream,
  updated,
} from './streams.ts';

const reply = (
  items: readonly string[],
  blocks: readonly ExpectedFields[],
  more: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { ...replyMetadata, ...(items.length > 0 && { chatKitItems: items, messageId: items[0] }) },
  ...more,
  blocks,
});
const web = { type: 'annotation', source: { type: 'url', title: 'Rome', url: 'https://b.example/rome' } };
const rome = { id: 'https://b.example/rome', url: 'https://b.example/rome', title: 'Rome' };
const tool = (more: object = {}): object =>
  item('c', 'client_tool_call', { call_id: 'call', name: 'pick', arguments: { n: 1 }, status: 'pending', ...more });
const task = (title: string, status_indicator: string): object => ({ type: 'custom', title, status_indicator });
const workflow = (...tasks: readonly object[]): object =>
  item('w', 'workflow', { workflow: { type: 'custom', tasks } });
const asked = item('q', 'structured_input', {
  status: 'pending',
  inputs: [
    { id: 'size', type: 'multiple_choice', question: 'Which size?', options: [{ value: 'S' }, { value: 'L' }] },
    { id: 'name', type: 'freeform', question: 'Whose?', description: 'As on the card' },
  ],
});
const picture = (url?: string): object => item('i', 'generated_image', { image: url && { id: 'x', url } });

describe('chatkit', () => {
  testBodies(chatKit, [
    {
      name: 'a streamed text, repeated completely at its end',
      body: stream(
        added(assistantMessage('a')),
        delta('a', 'Hel'),
        delta('a', 'lo'),
        done(assistantMessage('a', 'Hello')),
      ),
      messages: [reply(['a'], [text('Hello')])],
    },
    {
      name: 'a complete text',
      body: stream(done(assistantMessage('a', 'Hello')), done(item('e', 'end_of_turn'))),
      messages: [reply(['a'], [text('Hello')])],
    },
    {
      name: 'a source that only the end of the item has',
      body: stream(
        added(assistantMessage('a')),
        delta('a', 'See Rome'),
        done(item('a', 'assistant_message', { content: [content('See Rome', [web, { type: 'annotation' }])] })),
      ),
      messages: [reply(['a'], [{ ...text('See Rome'), citations: [{ ...rome, end: 8 }] }])],
    },
    {
      name: 'two parts, and two items: separate texts',
      body: stream(
        added(assistantMessage('a')),
        updated('a', 'assistant_message.content_part.added', { content_index: 0, content: content('') }),
        delta('a', 'One'),
        delta('a', 'Two', 1),
        done(assistantMessage('a', 'One', 'Two')),
        done(assistantMessage('b', 'Three')),
      ),
      messages: [reply(['a', 'b'], [text('One'), text('Two'), text('Three')])],
    },
    {
      name: 'a source that comes twice is shown once',
      body: stream(
        added(assistantMessage('a')),
        delta('a', 'See Rome'),
        updated('a', 'assistant_message.content_part.annotation_added', { content_index: 0, annotation: web }),
        done(item('a', 'assistant_message', { content: [content('See Rome', [web])] })),
      ),
      messages: [reply(['a'], [text('See Rome', { citations: [{ ...rome, end: 8 }] })])],
    },
    {
      name: 'a different final text replaces it',
      body: stream(added(assistantMessage('a')), delta('a', 'Bad'), done(assistantMessage('a', 'Good'))),
      messages: [reply(['a'], [text('Good')])],
    },
    {
      name: 'an item that is removed',
      body: stream(done(assistantMessage('a', 'One')), done(assistantMessage('b', 'Two')), removed('a')),
      messages: [reply(['a', 'b'], [text('Two')])],
    },
    {
      name: 'a tool of the page: the server waits for its result',
      body: stream(done(tool())),
      messages: [
        reply(['c'], [call('call', 'pick', { params: '{"n":1}' }, { status: 'loading' })], {
          finish: 'tool_use',
          metadata: { ...replyMetadata, chatKitItems: ['c'], messageId: 'c', waitingCalls: ['call'] },
        }),
      ],
    },
    {
      name: 'a tool with its result',
      body: stream(
        added(tool()),
        done(tool({ status: 'completed', output: { ok: true } })),
        done(assistantMessage('a', 'Fine')),
      ),
      messages: [
        reply(['c', 'a'], [call('call', 'pick', { params: '{"n":1}', response: '{"ok":true}' }), text('Fine')]),
      ],
    },
    {
      name: 'a workflow and its tasks',
      body: stream(
        added(workflow(task('Search', 'loading'))),
        updated('w', 'workflow.task.added', { task_index: 1, task: task('Read', 'none') }),
        updated('w', 'workflow.task.updated', { task_index: 0, task: task('Search', 'complete') }),
        done(assistantMessage('a', 'Hello')),
      ),
      messages: [
        reply(
          ['w', 'a'],
          [
            {
              type: 'plan',
              plan: [
                { title: 'Search', state: 'done' },
                { title: 'Read', state: 'pending' },
              ],
            },
            text('Hello'),
          ],
        ),
      ],
    },
    {
      name: 'thoughts',
      body: stream(
        added(workflow({ type: 'thought', content: 'Hm' })),
        updated('w', 'workflow.task.updated', { task_index: 0, task: { type: 'thought', content: 'Hmm, Rome' } }),
        done(workflow({ type: 'thought', content: 'Hmm, Rome' })),
        done(assistantMessage('a', 'Hello')),
      ),
      messages: [reply(['w', 'a'], [thought('Hmm, Rome'), text('Hello')])],
    },
    {
      name: 'an image with previews',
      body: stream(
        added(picture()),
        updated('i', 'generated_image.updated', { image: { id: 'x', url: 'https://b.example/1.png' }, progress: 0.5 }),
        done(picture('https://b.example/2.png')),
      ),
      messages: [reply(['i'], [{ type: 'image', url: 'https://b.example/2.png', extra: { dataId: 'i' } }])],
    },
    {
      name: 'questions are a form',
      body: stream(done(asked)),
      messages: [
        reply(
          ['q'],
          [
            {
              type: 'action',
              status: 'pending',
              action_type: 'question',
              content: '',
              extra: {
                chatKitItem: 'q',
                needsChoice: true,
                requestId: 'q',
                schema: JSON.stringify({
                  type: 'object',
                  properties: {
                    size: { title: 'Which size?', type: 'string', enum: ['S', 'L'] },
                    name: { title: 'Whose?', description: 'As on the card', type: 'string' },
                  },
                }),
              },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a notice and an effect for the page',
      body: stream({ type: 'client_effect', name: 'show', data: { id: 1 } }, done(assistantMessage('a', 'Hello')), {
        type: 'notice',
        level: 'warning',
        title: 'Soon',
        message: 'Ten messages\nare left.',
      }),
      messages: [
        reply(['a'], [text('Hello'), text('> **Soon** Ten messages\n> are left.')], {
          metadata: {
            ...replyMetadata,
            chatKitItems: ['a'],
            messageId: 'a',
            clientEffects: [{ name: 'show', data: { id: 1 } }],
          },
        }),
      ],
    },
    {
      name: 'an error whose code is the name of a method',
      body: stream(done(assistantMessage('a', 'Ha')), { type: 'error', code: 'toString', allow_retry: false }),
      messages: [
        {
          ...reply(
            ['a'],
            [text('Ha'), failure('The server reports an error.', { code: 'toString', recoverable: false })],
            { status: 'error', finish: 'error' },
          ),
          metadata: { chatKitThread: 'thr', chatKitUserItem: 'u', chatKitItems: ['a'], messageId: 'a' },
        },
      ],
    },
    {
      name: 'an error, with its own words and without',
      body: stream(done(assistantMessage('a', 'Ha')), { type: 'error', code: 'stream.error', allow_retry: true }),
      messages: [
        {
          ...reply(
            ['a'],
            [text('Ha'), failure('The server failed to answer.', { code: 'stream.error', recoverable: true })],
            { status: 'error', finish: 'error' },
          ),
          metadata: { chatKitThread: 'thr', chatKitUserItem: 'u', chatKitItems: ['a'], messageId: 'a' },
        },
      ],
    },
    {
      name: 'a text without its end: interrupted',
      body: stream(added(assistantMessage('a')), delta('a', 'Ha')),
      messages: [
        {
          status: 'interrupted',
          finish: 'error',
          metadata: { chatKitThread: 'thr', chatKitUserItem: 'u', chatKitItems: ['a'], messageId: 'a' },
          blocks: [text('Ha')],
        },
      ],
      problem: 'cut',
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: `${stream({ type: 'thread.dream' })}data: {"type"\n\n${sse(done(assistantMessage('a', 'Hi')))}`,
      messages: [reply(['a'], [text('Hi')])],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  testNeverThrows(chatKit, [
    { type: 'thread.updated', thread: { id: 't' } },
    done(assistantMessage('a', 'x')),
    added(assistantMessage('a')),
    delta('a', 'x'),
    updated('a', 'assistant_message.content_part.annotation_added', { annotation: web }),
    removed('a'),
    replaced(assistantMessage('a', 'y')),
    done(tool()),
    done(workflow(task('T', 'loading'), { type: 'thought', content: 'x' })),
    updated('w', 'workflow.task.updated', { task_index: 0, task: task('U', 'complete') }),
    done(item('x', 'widget', { widget: { type: 'Card', children: [{ type: 'Text', id: 't', value: 'x' }] } })),
    updated('x', 'widget.streaming_text.value_delta', { component_id: 't', delta: 'y', done: false }),
    done(picture('u')),
    done(asked),
    { type: 'progress_update', text: 'x' },
    { type: 'client_effect', name: 'x', data: {} },
    { type: 'notice', level: 'info', message: 'x' },
    { type: 'error', code: 'custom', message: 'x', allow_retry: false },
  ]);

  testDetection('chatkit', {
    own: {
      'a new thread': stream(done(assistantMessage('a', 'Hi'))),
      'a thread that goes on': sse(done(assistantMessage('u', 'Hi'))),
      'its options': sse({ type: 'stream_options', stream_options: { allow_cancel: true } }),
    },
    others: {
      'the Assistants, whose events have names': [
        'event: thread.created\ndata: {"id":"t","object":"thread"}\n\n',
        'openai-assistants',
      ],
    },
    urls: ['https://a.example/chatkit', 'https://a.example/api/chatkit/'],
    otherUrls: ['https://a.example/chatkit/threads'],
  });
});
