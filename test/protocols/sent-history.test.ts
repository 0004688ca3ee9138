/** Shared tests of every protocol that sends its history. */
import { expect } from '@open-wc/testing';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import { assistant, conversation, toolBlock, user } from '../support/messages.ts';
import { emptyTurn, requestOptions } from '../support/play-body.ts';

/** All texts of a request, in their order. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

type Fields = Readonly<Record<string, unknown>>;

const recordsIn = (value: unknown): readonly Fields[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : [value as Fields]), ...Object.values(value).flatMap(recordsIn)]
    : [];

const isEmptyMessage = ({ role, content, tool_calls, toolCalls, parts }: Fields): boolean =>
  role !== undefined &&
  !tool_calls &&
  !toolCalls &&
  !parts &&
  (content === '' || (content as Fields | undefined)?.['text'] === '');

/** Protocols that need more than an address. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { adk: { appName: 'app' } };

const ask = (): Promise<{ headers: Headers; json: unknown }> =>
  Promise.resolve({
    headers: new Headers(),
    json: { thread_id: 't', id: 't', sessionId: 't', url: 'https://a.example/' },
  });

/** A reply of several rounds is one message there, whose texts are parts. */
const ONE_MESSAGE = new Set(['agentscope-msg', 'ai-sdk', 'ai-sdk-v4']);

/** Protocols without a place for the page's system text. All but `message-field` have one for its context. */
const WITHOUT_SYSTEM = new Set(['a2a', 'agentcore', 'chatkit', 'message-field']);
/** Protocols whose body is no plain object here; their own tests have the system text. */
const OTHER_BODIES = new Set(['agno', 'eve', 'gemini-interactions', 'mastra']);

describe('the system text and the page context of every protocol', () => {
  for (const { id, load } of new ProtocolRegistry().list()) {
    if (WITHOUT_SYSTEM.has(id) || OTHER_BODIES.has(id)) continue;
    for (const { turn, messages } of [
      { turn: 'first', messages: conversation(user('Hi')) },
      { turn: 'second', messages: conversation(user('Hi'), assistant('Hello'), user('And?')) },
    ]) {
      it(`${id}: both are sent with the ${turn} message`, async () => {
        const adapter = await load();
        const sent = await adapter.request(
          { ...emptyTurn, text: turn === 'first' ? 'Hi' : 'And?', messages },
          { ...requestOptions, ask, body: BODIES[id], system: 'Be brief', context: 'Order 42 is open' },
        );
        const body = JSON.stringify(sent.init.body);
        expect(body).to.contain('Be brief').and.contain('Order 42 is open');
      });
    }
  }
});

describe('the history of every protocol', () => {
  for (const { id, load } of new ProtocolRegistry().list()) {
    if (ONE_MESSAGE.has(id)) continue;
    it(`${id}: white space after a tool call is no separate message`, async () => {
      const adapter = await load();
      const call = toolBlock('c1', 'look', '{}', 'found');
      const messages = conversation(
        user('Hi'),
        assistant([{ type: 'content', content: 'Let me look.' }, call, { type: 'content', content: '\n\n' }]),
        user('And?'),
      );
      const sent = await adapter.request(
        { ...emptyTurn, text: 'And?', messages },
        { ...requestOptions, ask, body: BODIES[id] },
      );
      expect(textsIn(sent.init.body)).not.to.include('\n\n');
    });
  }

  for (const { id, load } of new ProtocolRegistry().list()) {
    for (const { name, block } of [
      { name: 'only an image', block: { type: 'image', image_data: { data: 'iVBORw0KGgo=', mimeType: 'image/png' } } },
      { name: 'only a failed call', block: toolBlock('c1', 'look', '{}', 'gone', true) },
    ] as const) {
      it(`${id}: a reply with ${name} is no empty message, which models refuse`, async () => {
        const adapter = await load();
        const messages = conversation(user('Draw'), assistant([block]), user('Another'));
        const sent = await adapter.request(
          { ...emptyTurn, text: 'Another', messages },
          { ...requestOptions, ask, body: BODIES[id] },
        );
        expect(recordsIn(sent.init.body).filter(isEmptyMessage)).to.deep.equal([]);
      });
    }
  }
});
