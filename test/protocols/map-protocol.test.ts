import { expect } from '@open-wc/testing';
import type { Answer } from '../../src/protocols/core/adapter.ts';
import { defineProtocol } from '../../src/protocols/define-protocol.ts';
import type { ProtocolMapping } from '../../src/protocols/mapping/map-protocol.ts';
import { call, failure, text, thought, type ExpectedFields } from '../support/bare.ts';
import { conversation } from '../support/messages.ts';
import { emptyTurn, ndjson, playBody, requestOptions, sse } from '../support/play-body.ts';
import { testNeverThrows } from '../support/adapter-tests.ts';

/** The fictional protocol of `docs/guides/own-protocol.md`. */
const acme: ProtocolMapping = {
  id: 'acme',
  detect: { kind: 'hello', 'acme.version': null },
  request: {
    body: { prompt: '{text}', about: 'Chat {threadId}', resume: '{kept.conversation}', history: '{messages}' },
  },
  events: [
    { when: { kind: 'hello' }, keep: { conversation: 'acme.conversation' } },
    { when: { kind: 'word' }, text: 'value' },
    { when: { kind: 'thought' }, reasoning: 'value' },
    { when: { kind: 'call' }, tool: { id: 'call.id', name: 'call.name', arguments: 'call.input' } },
    { when: { kind: 'answer' }, result: { id: 'call.id', content: 'call.output', error: 'call.failure' } },
    { when: { kind: 'source' }, citation: { url: 'links[0].href', title: 'links[0].title' } },
    { when: { kind: 'chart' }, data: 'value' },
    { when: { kind: 'bad' }, error: 'value' },
    { when: { kind: 'bye' }, finish: 'complete' },
  ],
};
const adapter = defineProtocol(acme);
const hello = { kind: 'hello', acme: { version: 2, conversation: 'c9' } };
const word = (value: string): object => ({ kind: 'word', value });
const bye = { kind: 'bye' };
const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});

describe('mapProtocol()', () => {
  it('reads text, reasoning, sources and data', async () => {
    const body = sse(
      { kind: 'thought', value: 'Hm.' },
      word('Hel'),
      word('lo'),
      { kind: 'source', links: [{ href: 'https://a.example/', title: 'A' }] },
      { kind: 'chart', value: [1, 2] },
      bye,
    );
    const cited = { citations: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }] };
    expect((await playBody(adapter, body)).seen).to.deep.equal([
      done([
        thought('Hm.'),
        { ...text('Hello'), ...cited },
        { type: 'data', data: { data_type: 'custom', data: [1, 2] } },
      ]),
    ]);
  });

  it('reads reasoning in tags', async () => {
    const body = sse(word('<thi'), word('nk>\nHm'), word('\n</think>\n\nHel'), word('lo <think>'), bye);
    expect((await playBody(adapter, body)).seen).to.deep.equal([done([thought('Hm'), text('Hello <think>')])]);
  });

  it('reads a text that each frame repeats completely', async () => {
    const whole = defineProtocol({
      ...acme,
      events: [{ textSoFar: 'value' }, { when: { kind: 'bye' }, finish: 'complete' }],
    });
    // Visible text is never removed.
    const body = sse(word('Hel'), word('Hello'), word('Hello'), word('Bye'), word('Hello you'), bye);
    expect((await playBody(whole, body)).seen).to.deep.equal([done([text('Hello you')])]);
  });

  it('reads frames that are strings', async () => {
    const strings = defineProtocol({ ...acme, end: 'stream', events: [{ text: '@data' }] });
    const body = sse('"Hel"', '"lo"', { a: 1 });
    expect((await playBody(strings, body)).seen).to.deep.equal([done([text('Hello')])]);
  });

  it('reads tool calls in chunks and their results', async () => {
    const body = ndjson(
      { kind: 'call', call: { id: 'a', name: 'f', input: '{"x"' } },
      { kind: 'call', call: { id: 'a', input: ':1}' } },
      { kind: 'answer', call: { id: 'a', output: { y: 2 } } },
      { kind: 'call', call: { name: 'g', input: {} } },
      { kind: 'answer', call: { failure: 'No' } },
      bye,
    );
    expect((await playBody(adapter, body)).seen[0]?.['blocks']).to.deep.equal([
      call('a', 'f', { params: '{"x":1}', response: '{"y":2}' }),
      call('new1', 'g', { params: '{}', response: 'No' }, { status: 'error' }),
    ]);
  });

  it('an error stays the end, whatever follows', async () => {
    const { seen, outcome } = await playBody(adapter, sse(word('Hi'), { kind: 'bad', value: 'Broken.' }, bye));
    expect(outcome).to.deep.equal({ status: 'error', finish: 'error' });
    expect(seen[0]?.['blocks']).to.deep.equal([text('Hi'), failure('Broken.')]);
  });

  it('ignores a frame without any field of a rule', async () => {
    const plain = defineProtocol({
      id: 'plain',
      request: {},
      end: 'stream',
      events: [
        { text: 'text' },
        { tool: { id: 'call.id', name: 'call.name', arguments: 'call.args' } },
        { result: { id: 'answer.id', content: 'answer.content' } },
        { when: { 'extra.title': null }, data: 'extra' },
      ],
    });
    const body = sse(
      { text: 'Hi' },
      { call: { id: 'a', name: 'f', args: {} } },
      { answer: { id: 'a', content: 'one' } },
      { extra: { title: 'A' } },
      { extra: { name: 'B' } },
    );
    const { seen } = await playBody(plain, body);
    expect(seen).to.deep.equal([
      done([
        text('Hi'),
        call('a', 'f', { params: '{}', response: 'one' }),
        { type: 'data', data: { data_type: 'custom', data: { title: 'A' } } },
      ]),
    ]);
  });

  it('ends with the stream if the mapping says so, but not with an empty one', async () => {
    const streamed = defineProtocol({ ...acme, end: 'stream' });
    expect((await playBody(streamed, sse(word('Hi')))).seen).to.deep.equal([done([text('Hi')])]);
    expect((await playBody(streamed, '')).problem).to.equal('empty');
  });

  it('fails on an error field, and is interrupted without its end', async () => {
    const failed = await playBody(adapter, sse(word('Hi'), { kind: 'bad', value: 'Broken.' }));
    expect(failed.seen).to.deep.equal([done([text('Hi'), failure('Broken.')], { status: 'error', finish: 'error' })]);
    expect((await playBody(adapter, sse(word('Hi')))).problem).to.equal('cut');
  });

  it('stores metadata and sends it back', async () => {
    const { messages } = await playBody(adapter, sse(hello, word('Hi'), bye));
    const turn = { ...emptyTurn, text: 'More', messages: [...conversation({ role: 'user', text: 'Hi' }), ...messages] };
    const { init } = await adapter.request(turn, requestOptions);
    expect(init.body).to.deep.equal({
      prompt: 'More',
      about: 'Chat thread',
      resume: 'c9',
      history: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hi' },
      ],
    });
  });

  it('omits unknown values', async () => {
    const { init } = await adapter.request({ ...emptyTurn, text: 'Hi' }, requestOptions);
    expect(JSON.parse(JSON.stringify(init.body))).to.deep.equal({ prompt: 'Hi', about: 'Chat thread', history: [] });
  });

  it('is detected by its own signal', () => {
    const signs = (json: unknown) => ({
      url: new URL('https://a.example/'),
      headers: new Headers(),
      framing: 'sse' as const,
      frames: [{ data: '', json }],
      ended: false,
    });
    expect(adapter.detect?.(signs(hello))).to.equal('sure');
    expect(adapter.detect?.(signs({ kind: 'hello' }))).to.equal('no');
  });

  it('applies a rule to each item of a list, and only to those with the right values', async () => {
    const lists = defineProtocol({
      id: 'lists',
      request: {},
      end: 'stream',
      events: [
        { each: 'message.parts', where: { type: 'text' }, text: 'text' },
        { each: 'message.parts', where: { type: 'call' }, tool: { id: 'id', name: 'name', arguments: 'input' } },
        { when: { kind: 'source' }, each: 'links', citation: { url: 'href', title: 'title' } },
        { each: 'words', text: '@data' },
      ],
    });
    const body = sse(
      {
        message: {
          parts: [
            { type: 'text', text: 'One ' },
            { type: 'call', id: 'a', name: 'f', input: { x: 1 } },
            { type: 'call', id: 'b', name: 'g', input: {} },
            null,
          ],
        },
      },
      { words: ['two ', 'three'] },
      { kind: 'source', links: [{ href: 'https://a.example/' }, { href: 'https://b.example/', title: 'B' }] },
      { kind: 'other', links: [{ href: 'https://c.example/' }] },
      { words: 'no list' },
    );
    const { seen } = await playBody(lists, body);
    const citations = [
      { id: 'https://a.example/', url: 'https://a.example/' },
      { id: 'https://b.example/', url: 'https://b.example/', title: 'B' },
    ];
    expect(seen[0]?.['blocks']).to.deep.equal([
      text('One '),
      call('a', 'f', { params: '{"x":1}' }, { status: 'loading' }),
      call('b', 'g', { params: '{}' }, { status: 'loading' }),
      { ...text('two three'), citations },
    ]);
  });

  it('reads the numbers of tokens, also without a total', async () => {
    const counted = defineProtocol({
      ...acme,
      events: [...acme.events, { usage: { prompt: 'usage.in', completion: 'usage.out', total: 'usage.all' } }],
    });
    const usageOf = async (usage: unknown): Promise<unknown> =>
      (await playBody(counted, sse(word('Hi'), { kind: 'bye', usage }))).seen[0]?.['usage'];
    expect(await usageOf({ in: 3, out: 4, all: 9 })).to.deep.equal({
      prompt_tokens: 3,
      completion_tokens: 4,
      total_tokens: 9,
    });
    expect(await usageOf({ in: 3, out: '4' })).to.deep.equal({
      prompt_tokens: 3,
      completion_tokens: 4,
      total_tokens: 7,
    });
    expect(await usageOf({ in: null, out: 'many' })).to.equal(undefined);
  });

  describe('with approvals', () => {
    const asking: ProtocolMapping = {
      ...acme,
      request: { body: { prompt: '{text}', decisions: '{answers}' } },
      events: [
        ...acme.events,
        {
          when: { kind: 'may' },
          approval: {
            id: 'ask',
            call: 'call.id',
            name: 'call.name',
            arguments: 'call.input',
            description: 'why',
          },
        },
      ],
    };
    const may = { kind: 'may', ask: 'q1', call: { id: 'a', name: 'erase', input: { all: true } }, why: 'Erase all?' };
    const answer: Answer = {
      decision: 'granted',
      blockId: 'b',
      actionType: 'tool_call_permission',
      toolCallId: 'a',
      note: 'Fine.',
      extra: { requestId: 'q1', toolName: 'erase' },
    };
    const sent = async (mapping: ProtocolMapping, ...answers: Answer[]): Promise<unknown> => {
      const { init } = await defineProtocol(mapping).request({ ...emptyTurn, answers }, requestOptions);
      return JSON.parse(JSON.stringify(init.body)) as unknown;
    };

    it('asks the user, and leaves the call to the server', async () => {
      const { messages } = await playBody(defineProtocol(asking), sse(may, { ...bye, kind: 'bye' }));
      const blocks = messages[0]?.blocks ?? [];
      expect(blocks.map(({ type }) => type)).to.deep.equal(['tool_call', 'action']);
      const [asked, question] = blocks;
      expect(asked?.extra?.['remote']).to.equal(true);
      expect(question).to.deep.include({ action_type: 'tool_call_permission', content: 'Erase all?' });
      expect(question).to.have.nested.property('tool_call.name', 'erase');
      expect(question).to.have.nested.property('tool_call.params', '{"all":true}');
      expect(question).to.have.nested.property('extra.requestId', 'q1');
      expect(question).to.have.nested.property('extra.editable', true);
    });

    it('sends the answers in the form of the mapping', async () => {
      expect(await sent(asking, answer)).to.deep.equal({
        prompt: '',
        decisions: [{ id: 'q1', approved: true, note: 'Fine.' }],
      });
      const denied: Answer = { ...answer, decision: 'denied', arguments: '{"all":false}' };
      const form = {
        ...asking.request,
        answer: { request: '{id}', of: '{call} {name}', allow: '{approved}', input: '{arguments}' },
      };
      expect(await sent({ ...asking, request: form }, denied)).to.deep.equal({
        prompt: '',
        decisions: [{ request: 'q1', of: 'a erase', allow: false, input: { all: false } }],
      });
      expect(await sent(asking)).to.deep.equal({ prompt: '' });
    });

    it('lets the user change arguments only if the server is told', async () => {
      const mute = { ...asking, request: { ...asking.request, answer: { id: '{id}', ok: '{approved}' } } };
      const { messages } = await playBody(defineProtocol(mute), sse(may, bye));
      expect(messages[0]?.blocks.at(-1)).to.have.nested.property('extra.editable', false);
    });
  });

  describe('the address of the request', () => {
    const addressed: ProtocolMapping = {
      ...acme,
      request: { path: 'sessions/{kept.conversation}/messages', query: { thread: '{threadId}', after: '{kept.last}' } },
    };
    const urlOf = async (conversationId?: string, url = 'https://a.example/chat/?key=1'): Promise<string> => {
      const { messages } = await playBody(
        defineProtocol(addressed),
        sse(conversationId === undefined ? word('Hi') : { kind: 'hello', acme: { conversation: conversationId } }, bye),
      );
      return (await defineProtocol(addressed).request({ ...emptyTurn, messages }, { ...requestOptions, url })).url;
    };

    it('has the path and the query of the mapping as soon as they have values', async () => {
      expect(await urlOf()).to.equal('https://a.example/chat/?key=1&thread=thread');
      expect(await urlOf('c 9')).to.equal('https://a.example/chat/sessions/c%209/messages?key=1&thread=thread');
      expect(await urlOf('c9', 'https://a.example')).to.equal('https://a.example/sessions/c9/messages?thread=thread');
    });

    it('never leads to another path', async () => {
      for (const id of ['..', '../admin', '%2e%2e'])
        expect(await urlOf(id).catch((error: unknown) => String(error)), id).to.contain("can't be part of an address");
      expect(await urlOf('https://b.example/x')).to.equal(
        'https://a.example/chat/sessions/https%3A%2F%2Fb.example%2Fx/messages?key=1&thread=thread',
      );
    });
  });

  it('finds no members of Object.prototype', async () => {
    const odd = defineProtocol({
      ...acme,
      events: [{ text: 'toString.name' }, { text: 'list.length' }, { text: 'w' }],
    });
    const { seen } = await playBody(odd, sse({ list: [1], w: 'Hi' }));
    expect(seen[0]?.['blocks']).to.deep.equal([text('Hi')]);
  });

  const broken: readonly (readonly [name: string, mapping: object, says: RegExp])[] = [
    ['a field that nobody knows', { ...acme, events: [{ txt: 'value' }] }, /events\.0/],
    ['a path that is none', { ...acme, events: [{ text: 'a[x]' }] }, /events\.0\.text/],
    ['a path into a prototype', { ...acme, events: [{ text: '__proto__.x' }] }, /events\.0\.text/],
    ['values of an item without a list', { ...acme, events: [{ where: { a: 1 }, text: 'a' }] }, /"where" needs "each"/],
    [
      'an approval whose answer is never sent',
      { ...acme, events: [{ approval: { id: 'a' } }] },
      /request\.body.*"\{answers\}"/,
    ],
    ['no request', { ...acme, request: undefined }, /request/],
  ];
  for (const [name, mapping, says] of broken) {
    it(`reports invalid mappings: ${name}`, () => {
      expect(() => defineProtocol(mapping as ProtocolMapping)).to.throw(says);
    });
  }

  testNeverThrows(adapter, [
    hello,
    word('x'),
    { kind: 'call', call: { id: 'a', name: 'f', input: '{}' } },
    { kind: 'answer', call: { id: 'a', output: 'x', failure: 'y' } },
    { kind: 'source', links: [{ href: 'https://a.example/', title: 'A' }] },
    { kind: 'bad', value: 'x' },
    bye,
  ]);
});
