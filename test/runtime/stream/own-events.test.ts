/** Events of an adapter of the page that the types do not allow, as a page without TypeScript may yield them. */
import { expect, waitUntil } from '@open-wc/testing';
import type { Adapter, AdapterEvent } from '../../../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { textOf } from '../../../src/model/message-text.ts';
import { makeChat } from '../support/make-chat.ts';
import { stream } from '../support/scripted-server.ts';
import { sse } from '../../support/play-body.ts';

const text = (content: string): object => ({ type: 'text', content });
const response = (data: unknown): object => ({ type: 'response', data });

/** An adapter of the page that yields these batches. */
const own = (...batches: readonly unknown[]): Adapter => ({
  id: 'own',
  label: 'Own',
  kind: 'agent',
  request: (_, { url }) => ({ url, init: { method: 'POST', body: {} } }),
  async *decode(frames) {
    for await (const _ of frames);
    for (const batch of batches) yield batch as readonly AdapterEvent[];
    yield [{ type: 'stop', stop_reason: 'complete' }];
  },
});

const wrong: readonly { readonly name: string; readonly batches: readonly unknown[]; readonly said: string }[] = [
  { name: 'an undefined event', batches: [[text('a'), undefined, text('b')]], said: 'not an event' },
  { name: 'null as an event', batches: [[text('a'), null, text('b')]], said: 'not an event' },
  { name: 'no list', batches: [[text('a')], text('x'), null, undefined, [text('b')]], said: 'not a list' },
  { name: 'an unknown type', batches: [[text('a'), { type: 'x' }, text('b')]], said: 'unknown type' },
  { name: 'an inherited type', batches: [[text('a'), { type: 'constructor' }, text('b')]], said: 'unknown type' },
  { name: 'null as data', batches: [[text('a'), response(null), text('b')]], said: 'not an object' },
  ...[{}, ['x'], { text: 'x' }].flatMap((content) => [
    {
      name: `text that is ${JSON.stringify(content)}`,
      batches: [[text('a'), { type: 'text', content }, text('b')]],
      said: '"content" that is not a text',
    },
    {
      name: `content that is ${JSON.stringify(content)}`,
      batches: [[text('a'), response({ content: 'b', reasoning_content: content }), response({ content })]],
      said: '"reasoning_content" that is not a text',
    },
  ]),
  ...[undefined, null, 5].map((piece) => ({
    name: `a piece of arguments that is ${String(piece)}`,
    batches: [
      [text('a'), { type: 'tool_call_start', tool_call_id: 't', tool_call_name: 'pay' }],
      [{ type: 'tool_call_chunk', tool_call_id: 't', tool_call_arguments_chunk: piece }, text('b')],
    ],
    said: '"tool_call_arguments_chunk" that is not a text',
  })),
  ...[5, true].map((piece) => ({
    name: `arguments that are ${String(piece)}`,
    batches: [
      [text('a'), response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'pay', tool_call_params: '{' })],
      [response({ tool_call: 'update', tool_call_id: 't', tool_call_params: piece }), text('b')],
    ],
    said: '"tool_call_params" that is not a text',
  })),
  ...[5, {}, { id: 'r', type: 'code' }, { id: 'r', type: 'code', content: null }].map((agent_response) => ({
    name: `a response that is ${JSON.stringify(agent_response)}`,
    batches: [[text('a'), response({ agent_response, content: 'b' })]],
    said: '"agent_response" without content',
  })),
  ...['x', true, {}, [null], [{}], [{ label: 'l', prompt: 1 }], [{ label: 'l', prompt: 'p', description: {} }]].map(
    (suggestions) => ({
      name: `suggestions: ${JSON.stringify(suggestions)}`,
      batches: [[text('a'), response({ suggestions, content: '' }), text('b')]],
      said: 'suggestions',
    }),
  ),
];

describe('an adapter of the page', () => {
  for (const { name, batches, said } of wrong) {
    for (const isRegistered of [false, true]) {
      it(`that yields ${name} loses no other event, and is reported: ${isRegistered ? 'registered' : 'set'}`, async () => {
        const protocols = new ProtocolRegistry();
        const adapter = own(...batches);
        if (isRegistered) protocols.register(adapter);
        const protocol = isRegistered ? 'own' : adapter;
        const { chat, told } = makeChat([stream(sse({}))], { protocol }, { protocols });
        await chat.send('Hi');
        const reply = chat.messages.at(-1);
        expect(reply && textOf(reply)).to.equal('ab');
        expect(reply).to.have.property('status', 'complete').and.not.to.have.property('suggestions');
        expect(told.errors.map(({ message }) => message).join(' '))
          .to.contain('"own" has yielded')
          .and.to.contain(said);
      });
    }
  }

  it('may have an event without suggestions, and one with valid and other ones', async () => {
    const suggestions = [{ label: 'l', prompt: 'p' }, null];
    const events = [text('a'), response({ suggestions: null }), response({ suggestions }), text('b')];
    const { chat } = makeChat([stream(sse({}))], { protocol: own(events) });
    await chat.send('Hi');
    expect(chat.messages.at(-1)?.suggestions).to.deep.equal([{ label: 'l', prompt: 'p' }]);
  });

  const called = { tool_call_id: 't', tool_call_name: 'pay' };
  const permission = { toolName: 'pay', serverName: '', permissionType: 'write', description: '' };
  const asked = { tool_call: 'permission-required', tool_call_id: 't', permission_request: permission };
  const started = response({ tool_call: 'start', ...called, tool_call_params: '{"to":' });
  const questionAfter = async (...events: readonly object[]): Promise<unknown> => {
    const { chat } = makeChat([stream(sse({}))], { protocol: own(events) });
    // It ends with the answer.
    void chat.send('Hi');
    const question = () => chat.messages.at(-1)?.blocks.find(({ type }) => type === 'action');
    await waitUntil(question);
    const block = question();
    return block && 'tool_call' in block ? block.tool_call : block;
  };
  const arguments_: readonly { readonly name: string; readonly events: readonly object[]; readonly params?: string }[] =
    [
      {
        name: 'that came in pieces',
        events: [started, response({ tool_call: 'update', tool_call_id: 't', tool_call_params: '"Eve"}' })],
        params: '{"to":"Eve"}',
      },
      {
        name: 'that came at once after pieces',
        events: [
          started,
          response({ tool_call: 'running', tool_call_id: 't', tool_call_params_complete: '{"to":"Bob"}' }),
        ],
        params: '{"to":"Bob"}',
      },
      {
        name: 'of a core event',
        events: [
          { type: 'tool_call_start', ...called },
          { type: 'tool_call_chunk', tool_call_id: 't', tool_call_arguments_chunk: '{"to":' },
          { type: 'tool_call_chunk', tool_call_id: 't', tool_call_arguments_chunk: '"Eve"}' },
          { type: 'tool_call_end', tool_call_id: 't' },
        ],
        params: '{"to":"Eve"}',
      },
      {
        name: 'of another tool: none',
        events: [response({ tool_call: 'start', ...called, tool_call_name: 'find', tool_call_params: '{}' })],
      },
      {
        name: 'of a call that has ended: none',
        events: [started, response({ tool_call: 'end', tool_call_id: 't' })],
      },
    ];
  for (const { name, events, params } of arguments_)
    it(`may ask for a permission without arguments: those of the call are shown ${name}`, async () => {
      expect(await questionAfter(...events, response(asked))).to.deep.equal({
        id: 't',
        name: 'pay',
        ...(params !== undefined && { params }),
      });
    });

  it('may ask for a permission with its own arguments', async () => {
    expect(await questionAfter(started, response({ ...asked, tool_call_params: '{}' }))).to.have.property(
      'params',
      '{}',
    );
  });
});
