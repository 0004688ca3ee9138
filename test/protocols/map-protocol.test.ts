import { expect } from '@open-wc/testing';
import { defineProtocol } from '../../src/protocols/define-protocol.ts';
import type { ProtocolMapping } from '../../src/protocols/map-protocol.ts';
import { call, failure, text, thought, type Bare } from '../support/bare.ts';
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
const done = (blocks: readonly Bare[], more: Bare = {}): Bare => ({
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
