import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { adapter as chatKit } from '../../../src/protocols/chatkit/chatkit.ts';
import { assistant, toolBlock, user } from '../../support/messages.ts';
import { testFeedback, testSent } from '../../support/sent-tests.ts';

const url = 'https://a.example/chatkit';
const options = { url };
const turn = { text: 'Hello' };
const input = (text: string, attachments: readonly string[] = [], inference_options: object = {}) => ({
  content: text ? [{ type: 'input_text', text }] : [],
  attachments,
  inference_options,
});
const post = (type: string, params: object, metadata: object = {}) => ({
  url,
  method: 'POST',
  body: { type, params, metadata },
});
const in_ = { thread_id: 'thr' };
const known = { chatKitThread: 'thr', chatKitUserItem: 'u', chatKitItems: ['a', 'w'] };
const before = [user('A'), assistant('B', { metadata: known })];
const answer = (more: Partial<Answer>): Answer => ({
  decision: 'answered',
  blockId: 'b',
  actionType: 'question',
  extra: { chatKitItem: 'q', schema: '{"type":"object","properties":{"size":{},"name":{}}}' },
  ...more,
});
const pressed = (context: object) =>
  user('Book', {
    metadata: {
      data: {
        surfaceId: 'chatkit w',
        name: 'book',
        sourceComponentId: 'p4',
        context: { 'chatkit action': { type: 'book', payload: { place: 7 }, single: ['day'] }, ...context },
      },
    },
  });
/** Its buttons are others by now: a press may wait in the queue. */
const widget = assistant('', {
  metadata: { ...known, 'actions w': { p4: { type: 'delete', payload: { all: true } } } },
});

describe('chatkit, requests', () => {
  testSent(chatKit, [
    {
      name: 'the first message creates a thread',
      messages: [user('Hello')],
      turn,
      options,
      sent: [post('threads.create', { input: input('Hello') })],
    },
    {
      name: 'the next ones use it, with the model and the page context',
      messages: [...before, user('Hello')],
      turn,
      options: { url, model: 'm', context: { page: '/x' } },
      sent: [
        post(
          'threads.add_user_message',
          { ...in_, input: input('Hello', [], { model: 'm' }) },
          { context: { page: '/x' } },
        ),
      ],
    },
    {
      name: 'the result of a tool of the page',
      messages: [
        user('A'),
        assistant([toolBlock('call', 'pick', '{}', '{"n":1}')], { metadata: { ...known, waitingCalls: ['call'] } }),
      ],
      options,
      sent: [post('threads.add_client_tool_output', { ...in_, result: { n: 1 } })],
    },
    {
      name: 'the answers to a form',
      messages: before,
      turn: { answers: [answer({ payload: { size: ['S', 'L'], name: '' } })] },
      options,
      sent: [
        post('threads.add_structured_input', {
          ...in_,
          item_id: 'q',
          input: {
            status: 'answered',
            answers: { size: { values: ['S', 'L'], skipped: false }, name: { values: [], skipped: true } },
          },
        }),
      ],
    },
    {
      name: 'text instead of a form is its first answer',
      messages: before,
      turn: { answers: [answer({ payload: 'XL' })] },
      options,
      sent: [
        post('threads.add_structured_input', {
          ...in_,
          item_id: 'q',
          input: { status: 'answered', answers: { size: { values: ['XL'], skipped: false } } },
        }),
      ],
    },
    {
      name: 'a form that is dismissed',
      messages: before,
      turn: { answers: [answer({ decision: 'dismissed' })] },
      options,
      sent: [post('threads.add_structured_input', { ...in_, item_id: 'q', input: { status: 'skipped', answers: {} } })],
    },
    {
      name: 'regenerate',
      messages: [user('A')],
      turn: {
        text: 'A',
        fork: {
          by: 'regenerate',
          reply: { id: 'r', role: 'assistant', status: 'complete', blocks: [], timestamp: 0, metadata: known },
        },
      },
      options,
      sent: [post('threads.retry_after_item', { ...in_, item_id: 'u' })],
    },
    {
      name: 'rule 91: a button of a widget, with its action at the press and the entered values; its payload stays',
      messages: [user('A'), widget, pressed({ day: ['mo'], name: 'Mara', place: 8 })],
      turn: { text: 'Book' },
      options,
      sent: [
        post('threads.custom_action', {
          ...in_,
          item_id: 'w',
          action: { type: 'book', payload: { day: 'mo', name: 'Mara', place: 7 } },
        }),
      ],
    },
    {
      name: 'a file: registered, uploaded if the server asks for it, then referenced',
      messages: [
        user('Hello', { blocks: [{ type: 'file', name: 'a.txt', data: btoa('123'), mimeType: 'text/plain' }] }),
      ],
      turn,
      options,
      answers: [{ id: 'f', upload_descriptor: { url: 'https://b.example/up', method: 'PUT', headers: {} } }],
      sent: [
        post('attachments.create', { name: 'a.txt', size: 3, mime_type: 'text/plain' }),
        { url: 'https://b.example/up', method: 'PUT', body: 123 },
        post('threads.create', { input: input('Hello', ['f']) }),
      ],
    },
  ]);

  testFeedback(chatKit, [
    {
      name: 'thumbs',
      messages: before,
      options,
      given: { value: 'down' },
      sent: post('items.feedback', { ...in_, item_ids: ['a', 'w'], kind: 'negative' }),
    },
    {
      name: 'removed feedback, which the API can’t express',
      messages: before,
      options,
      given: { value: null },
      sent: undefined,
    },
  ]);
});
