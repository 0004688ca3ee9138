import { expect } from '@open-wc/testing';
import {
  createMsg,
  createMsgBlock,
  createMsgSource,
  formatMsgs,
  getTextContent,
  hasToolCall,
  msg,
} from '../../src/model.ts';

const spoken = (name: string, textContent: string) => createMsg({ name, role: 'ASSISTANT', textContent });

describe('building AgentScope messages', () => {
  it('textContent is one text block, and both are the same message', () => {
    const short = createMsg({ textContent: 'Hello' });
    expect(short).to.deep.equal(createMsg({ content: [createMsgBlock.text('Hello')] }));
    expect(short).to.deep.equal({ role: 'USER', content: [{ type: 'text', text: 'Hello' }], metadata: {} });
  });

  it('every block is valid on the wire', () => {
    const image = createMsgBlock.image(createMsgSource.url('https://pictures.example/a.jpg'));
    const content = [
      createMsgBlock.text('What is this?'),
      image,
      createMsgBlock.audio(createMsgSource.base64('audio/wav', 'UklGRg==')),
      createMsgBlock.video(createMsgSource.url('file:///srv/clip.mp4')),
      createMsgBlock.thinking('Hm.'),
      createMsgBlock.toolUse('c1', 'look', { at: 'a.jpg' }),
      createMsgBlock.toolResult('c1', [createMsgBlock.text('A cat.'), image]),
      createMsgBlock.toolError('c2', 'The camera is off.'),
    ];
    const message = createMsg({ id: 'm1', name: 'user', timestamp: '2026-01-05T10:00:00Z', content });
    expect(msg.parse(JSON.parse(JSON.stringify(message)))).to.deep.equal(message);
    expect([getTextContent(message), hasToolCall(message)]).to.deep.equal(['What is this?', true]);
  });
});

describe('formatting AgentScope messages for a model', () => {
  it('several agents: each text is a user message with the name in front', () => {
    expect(formatMsgs([spoken('Ada', 'Ship it.'), spoken('Bert', 'Not yet.')])).to.deep.equal([
      { role: 'user', content: '[Ada]: Ship it.' },
      { role: 'user', content: '[Bert]: Not yet.' },
    ]);
  });

  it('one agent keeps its role, whatever its name', () => {
    expect(formatMsgs([spoken('Ada', 'One.'), spoken('Ada', 'Two.')])).to.deep.equal([
      { role: 'assistant', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
    ]);
  });

  it('roles are mapped to those of a model; calls are followed by their results', () => {
    const call = createMsgBlock.toolUse('c1', 'get_weather', { city: 'Oslo' });
    const messages = [
      createMsg({ role: 'SYSTEM', textContent: 'Be brief.' }),
      createMsg({
        content: [createMsgBlock.text('Weather?'), createMsgBlock.image(createMsgSource.base64('image/png', 'AA=='))],
      }),
      createMsg({ role: 'ASSISTANT', content: [createMsgBlock.text('I look.'), call] }),
      createMsg({ role: 'TOOL', content: [createMsgBlock.toolResult('c1', 'Sunny')] }),
      createMsg({ role: 'ASSISTANT', content: [createMsgBlock.thinking('Only a thought.')] }),
    ];
    expect(formatMsgs(messages)).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Sunny' },
    ]);
  });

  it('a call of one of several agents stays a call', () => {
    const asks = createMsg({
      name: 'Ada',
      role: 'ASSISTANT',
      content: [createMsgBlock.text('I look.'), createMsgBlock.toolUse('c1', 'look', {})],
    });
    expect(formatMsgs([asks, spoken('Bert', 'Good.')]).map(({ role, content }) => [role, content])).to.deep.equal([
      ['user', '[Ada]: I look.'],
      ['assistant', null],
      ['user', '[Bert]: Good.'],
    ]);
  });
});
