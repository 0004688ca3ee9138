import { expect } from '@open-wc/testing';
import { fromMsgs, toMsgs } from '../../src/formats/agentscope-messages.ts';
import { msg, type Msg } from '../../src/formats/agentscope-msg.ts';
import { bareMessage } from '../support/bare.ts';
import { assistant, conversation, system, toolBlock, user } from '../support/messages.ts';

const message = (content: unknown, more: object = {}): Msg =>
  msg.parse({ name: 'a', role: 'ASSISTANT', content, ...more });

const flow: readonly Msg[] = [
  { id: 's', name: 'system', role: 'SYSTEM', content: [{ type: 'text', text: 'Be kind.' }] },
  { id: 'u', name: 'Ann', role: 'USER', content: [{ type: 'text', text: 'Weather?' }] },
  {
    id: 'a1',
    name: 'Bot',
    role: 'ASSISTANT',
    content: [
      { type: 'thinking', thinking: 'Look it up.' },
      { type: 'text', text: 'One moment.' },
      { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Bonn' } },
      { type: 'tool_use', id: 't2', name: 'clock', input: {} },
    ],
    metadata: { model: 'm' },
  },
  {
    id: 'r1',
    name: 'system',
    role: 'TOOL',
    content: [
      { type: 'tool_result', id: 't1', name: 'weather', output: [{ type: 'text', text: 'rain' }] },
      { type: 'tool_result', id: 't2', name: 'clock', state: 'error', output: [{ type: 'text', text: 'stopped' }] },
    ],
    timestamp: '2024-01-15 10:30:00.123',
  },
  { id: 'a2', name: 'Bot', role: 'ASSISTANT', content: [{ type: 'text', text: 'It rains.' }] },
].map((given) => msg.parse({ metadata: {}, timestamp: '2024-01-15T10:30:00Z', ...given }));

describe('Msg and our messages', () => {
  it('a result goes into the block of its call', () => {
    const [, , a1] = conversation(...fromMsgs(flow));
    expect(bareMessage(a1!)).to.deep.include({
      name: 'Bot',
      blocks: [
        { type: 'reasoning_content', content: 'Look it up.' },
        { type: 'content', content: 'One moment.' },
        { type: 'tool_call', tool_call: { id: 't1', name: 'weather', params: '{"city":"Bonn"}', response: 'rain' } },
        {
          type: 'tool_call',
          status: 'error',
          tool_call: { id: 't2', name: 'clock', params: '{}', response: 'stopped' },
        },
      ],
    });
  });

  it('a result in the message of its call counts too', () => {
    const [draft] = fromMsgs([
      message([
        { type: 'tool_use', id: 't', name: 'f', input: {} },
        { type: 'tool_result', toolUseId: 't', output: 'done' },
      ]),
    ]);
    expect(draft?.blocks[0]).to.deep.include({
      status: 'success',
      tool_call: { id: 't', name: 'f', params: '{}', response: 'done' },
    });
  });

  const there: readonly { readonly name: string; readonly msgs: readonly Msg[] }[] = [
    { name: 'a flow with tools', msgs: flow },
    {
      name: 'media of every source',
      msgs: [
        message(
          [
            { type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
            { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'BB' } },
            { type: 'video', source: { type: 'url', url: 'file:///tmp/x.mp4' } },
            { type: 'data', name: 'x.csv', source: { type: 'base64', media_type: 'text/csv', data: 'CC' } },
          ],
          { id: 'm', timestamp: '2024-01-15T10:30:00Z' },
        ),
      ],
    },
    {
      name: 'blocks that we do not show',
      msgs: [
        message(
          [
            { type: 'poll', options: [1, 2] },
            { type: 'text', text: 'a' },
            { type: 'hint', hint: 'b', id: 'h' },
            { type: 'text', text: 'c' },
          ],
          { id: 'm', timestamp: '2024-01-15T10:30:00Z' },
        ),
      ],
    },
    {
      name: 'metadata and the time of a real server',
      msgs: [message('a', { id: 'm', metadata: { a: { b: 1 } }, timestamp: '2024-01-15 10:30:00.123' })],
    },
  ];
  for (const { name, msgs } of there) {
    it(`come back as they were: ${name}`, () => {
      expect(toMsgs(conversation(...fromMsgs(msgs)))).to.deep.equal(msgs);
    });
  }

  const back = conversation(
    system('Be kind.'),
    user('Look', { blocks: [{ type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } }] }),
    assistant(
      [
        { type: 'content', content: 'One moment.' },
        toolBlock('t1', 'look', '{"a":1}', 'a cat'),
        toolBlock('t2', 'ask', '{}', 'no', true),
        { type: 'content', content: 'A cat.' },
        toolBlock('t3', 'more', '{}'),
      ],
      { name: 'Bot' },
    ),
  );

  it('what one of ours is split into is one again', () => {
    const parts = toMsgs(back);
    expect(parts.map(({ id, role }) => `${id ?? ''} ${role}`)).to.deep.equal([
      'm1 SYSTEM',
      'm2 USER',
      'm3 ASSISTANT',
      'm3.1 TOOL',
      'm3.2 ASSISTANT',
    ]);
    const again = conversation(...fromMsgs(parts.map((part) => msg.parse(JSON.parse(JSON.stringify(part))))));
    expect(again.map(({ role, blocks }) => [role, blocks.length])).to.deep.equal([
      ['system', 1],
      ['user', 2],
      ['assistant', 5],
    ]);
    expect(again.map((one) => bareMessage(one)['blocks'])).to.deep.equal(back.map((one) => bareMessage(one)['blocks']));
  });

  it('images of results are in their outputs again, whether the result came alone or with its call', () => {
    const output = [
      { type: 'text', text: 'drawn' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
    ];
    const calls = ['t1', 't2'].map((id) => ({ type: 'tool_use', id, name: 'draw', input: {} }));
    const results = ['t1', 't2'].map((id) => ({ type: 'tool_result', id, output }));
    for (const msgs of [
      [message([...calls, ...results], { id: 'a' })],
      [message(calls, { id: 'a' }), message(results, { id: 'r', name: 'system', role: 'TOOL' })],
    ]) {
      const imported = conversation(...fromMsgs(msgs));
      expect(imported[0]?.blocks.map(({ type }) => type)).to.deep.equal(['tool_call', 'image', 'tool_call', 'image']);
      const exported = toMsgs(imported);
      expect(exported.map(({ role }) => role)).to.deep.equal(['ASSISTANT', 'TOOL']);
      expect(exported[0]?.content).to.deep.equal(calls);
      expect(exported[1]?.content.map((block) => block['output'])).to.deep.equal([output, output]);
      const again = conversation(...fromMsgs(exported.map((part) => msg.parse(JSON.parse(JSON.stringify(part))))));
      expect(toMsgs(again)).to.deep.equal(exported);
    }
  });

  it('metadata of a message with results is in it again, whether it came alone or was split off', () => {
    const msgs = [
      message([{ type: 'tool_use', id: 't', name: 'look', input: {} }], { id: 'm', timestamp: '2024-01-15T10:30:00Z' }),
      message([{ type: 'tool_result', id: 't', output: [{ type: 'text', text: 'a' }] }], {
        id: 'r',
        role: 'TOOL',
        metadata: { took: 3 },
        timestamp: '2024-01-15T10:30:00Z',
      }),
    ];
    const imported = conversation(...fromMsgs(msgs));
    expect(toMsgs(imported)).to.deep.equal(msgs);
    const alone = toMsgs(imported.slice(0, 1));
    expect(alone[1]?.metadata).to.deep.equal({ took: 3, part_of: 'm' });
    expect(toMsgs(conversation(...fromMsgs(alone)))).to.deep.equal(alone);
  });

  it('a call that is still open has no result', () => {
    expect(JSON.stringify(toMsgs(back))).not.to.include('"toolUseId":"t3"');
  });

  it('arguments that are no JSON object go as an empty one', () => {
    const [sent] = toMsgs(conversation(assistant([toolBlock('t', 'f', '{"a":')])));
    expect(sent?.content[0]).to.deep.equal({ type: 'tool_use', id: 't', name: 'f', input: {} });
  });
});
