import { expect } from '@open-wc/testing';
import type { LLMAgentEventData } from '../../../src/model/events/agent-events.ts';
import { defaultLimits, type Limits } from '../../../src/runtime/limits.ts';
import { makeChat, wordsOf } from '../support/make-chat.ts';
import { stream } from '../support/scripted-server.ts';

type Said = Omit<LLMAgentEventData, 'eventId'>;

const event = (type: string, data: object): string =>
  `data: ${JSON.stringify({ type, data: { eventId: 'e', ...data } })}\n\n`;
/** The complete body in one read, with its end. */
const reply = (...said: readonly Said[]): string =>
  said.map((data) => event('response', data)).join('') + event('end', { userStop: false });

const call = (id: string, more: Said = {}): Said => ({
  tool_call: 'start',
  tool_call_id: id,
  tool_call_name: 'f',
  ...more,
});
const end = (id: string, response: string): Said => ({
  tool_call: 'end',
  tool_call_id: id,
  tool_call_response: response,
});
const picture: Said = { image_data: { data: 'iVBORw0KGgo=', mimeType: 'image/png' } };
const citation: Said = { citation: { id: 'c', title: 'a page' } };
const long = 'x'.repeat(30);

interface Row {
  readonly name: string;
  readonly limits: Partial<Limits>;
  /** The last one exceeds the limit. */
  readonly said: readonly Said[];
  /** The resulting reply. */
  readonly kept: string;
}

/** Each limit of a reply, exceeded by its last event. */
const rows: readonly Row[] = [
  { name: 'characters', limits: { messageBytes: 5 }, said: [{ content: 'Hello.' }], kept: 'Hello.' },
  {
    name: 'characters of reasoning',
    limits: { messageBytes: 5 },
    said: [{ reasoning_content: 'Hm, hm.' }],
    kept: 'reasoning_content',
  },
  { name: 'blocks', limits: { blocks: 1 }, said: [call('a'), { content: 'Hello.' }], kept: 'tool_call | Hello.' },
  { name: 'tool calls', limits: { toolCalls: 1 }, said: [call('a'), call('b')], kept: 'tool_call | tool_call' },
  { name: 'the first tool call', limits: { toolCalls: 0 }, said: [call('a')], kept: 'tool_call' },
  { name: 'the first picture', limits: { images: 0 }, said: [picture], kept: 'image' },
  {
    name: 'arguments of tools',
    limits: { toolBytes: 40 },
    said: [call('a', { tool_call_params: long }), call('b', { tool_call_params: long })],
    kept: 'tool_call',
  },
  { name: 'results of tools', limits: { toolBytes: 20 }, said: [call('a'), end('a', long)], kept: 'tool_call' },
  { name: 'pictures', limits: { images: 1 }, said: [picture, picture], kept: 'image | image' },
  {
    name: 'citations',
    limits: { citations: 1 },
    said: [{ content: 'Hello.' }, citation, citation],
    kept: 'Hello.',
  },
  { name: 'an id', limits: { nameLength: 20 }, said: [{ content: 'Hello.' }, call(long)], kept: 'Hello.' },
  {
    name: 'the name of a tool',
    limits: { nameLength: 20 },
    said: [{ content: 'Hello.' }, call('a', { tool_call_name: long })],
    kept: 'Hello.',
  },
  {
    name: 'the name of a phase',
    limits: { nameLength: 20 },
    said: [{ content: 'Hello.' }, { phase: { name: long } }],
    kept: 'Hello.',
  },
  {
    name: 'the name of the author',
    limits: { nameLength: 20 },
    said: [{ content: 'Hello.' }, { message: { id: 'm', name: long } }],
    kept: 'Hello.',
  },
  {
    name: 'an event',
    limits: { eventBytes: 200 },
    said: [{ content: 'Hello.' }, { content: 'x'.repeat(300) }],
    kept: 'Hello.',
  },
  {
    name: 'a stream',
    limits: { streamBytes: 100 },
    said: [{ content: 'Hello.' }, { content: 'Hello.' }],
    kept: 'Hello.',
  },
];

const atLimit: readonly Omit<Row, 'kept'>[] = [
  { name: 'characters', limits: { messageBytes: 6 }, said: [{ content: 'Hello.' }] },
  { name: 'blocks', limits: { blocks: 2 }, said: [call('a'), { content: 'Hello.' }] },
  { name: 'tool calls', limits: { toolCalls: 2 }, said: [call('a'), call('b')] },
  { name: 'pictures', limits: { images: 2 }, said: [picture, picture] },
  { name: 'citations', limits: { citations: 2 }, said: [{ content: 'Hello.' }, citation, citation] },
  { name: 'an id', limits: { nameLength: long.length }, said: [{ content: 'Hello.' }, call(long)] },
];

describe('the limits of a reply', () => {
  for (const { name, limits, said } of atLimit)
    it(`${name}: a reply of just the limit has no error`, async () => {
      const { chat, told } = makeChat([stream(reply(...said))], { protocol: 'deepchat-events', limits });
      await chat.send('Hi');
      expect(told.errors).to.deep.equal([]);
    });

  for (const { name, limits, said, kept } of rows) {
    it(`${name}: over the limit the reply ends with an error message, and keeps the received text`, async () => {
      const { chat, told } = makeChat([stream(reply(...said))], { protocol: 'deepchat-events', limits });
      const message = await chat.send('Hi');
      const words = wordsOf(message);
      expect([message.status, words.slice(0, -1).join(' | ')]).to.deep.equal(['error', kept]);
      expect(words.at(-1)).to.match(/^error: (?:answer|event|stream)-too-long$/);
      expect(told.errors.map(({ kind, retryable }) => [kind, retryable])).to.deep.equal([['limit', false]]);
      expect(chat.status).to.equal('error');
    });

    it(`${name}: a reply within the defaults is complete`, async () => {
      const { chat, told } = makeChat([stream(reply(...said))], { protocol: 'deepchat-events' });
      expect((await chat.send('Hi')).status).to.equal('complete');
      expect(told.errors).to.deep.equal([]);
    });
  }

  it('the author changes too often', async () => {
    const speakers = Array.from({ length: 4 }, (_, index): Said => ({
      message: { id: `m${String(index)}` },
      content: 'a',
    }));
    const { chat, told } = makeChat([stream(reply(...speakers))], {
      protocol: 'deepchat-events',
      limits: { messages: 3 },
    });
    await chat.send('Hi');
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['limit']);
    expect(chat.status).to.equal('error');
  });

  it('all have a default', () => {
    expect(Object.values(defaultLimits).every((limit) => limit !== undefined)).to.equal(true);
  });
});
