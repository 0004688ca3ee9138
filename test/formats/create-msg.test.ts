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

describe('media in messages for a model', () => {
  const { text, image, audio, video, toolUse, toolResult } = createMsgBlock;
  const { url, base64 } = createMsgSource;
  const cat = image(url('https://pictures.example/cat.jpg'));
  const clip = video(url('https://videos.example/clip.mp4'));

  for (const { name, source, content } of [
    { name: 'WAV', source: base64('audio/wav', 'UklG'), content: { data: 'UklG', format: 'wav' } },
    {
      name: 'WAV with a browser’s type',
      source: base64('audio/x-wav', 'UklG'),
      content: { data: 'UklG', format: 'wav' },
    },
    { name: 'MP3', source: base64('audio/mpeg', 'SUQz'), content: { data: 'SUQz', format: 'mp3' } },
    {
      name: 'MP3 as a data URL',
      source: base64('audio/mp3', 'data:audio/mp3;base64,SUQz'),
      content: { data: 'SUQz', format: 'mp3' },
    },
  ]) {
    it(`a user’s recording is a part: ${name}`, () => {
      expect(formatMsgs([createMsg({ content: [audio(source)] })])).to.deep.equal([
        { role: 'user', content: [{ type: 'input_audio', input_audio: content }] },
      ]);
    });
  }

  for (const { name, content, shown } of [
    { name: 'a recording of another format', content: [audio(base64('audio/ogg', 'T2dn'))], shown: '[audio]' },
    {
      name: 'a recording at an address',
      content: [audio(url('https://sounds.example/a.wav'))],
      shown: '[audio: https://sounds.example/a.wav]',
    },
    {
      name: 'a video',
      content: [text('Look.'), clip, text('And?')],
      shown: 'Look.\n[video: https://videos.example/clip.mp4]\nAnd?',
    },
    { name: 'an image on the server', content: [image(url('file:///srv/x.jpg'))], shown: '[image: x.jpg]' },
  ]) {
    it(`a user’s media without a place are a note: ${name}`, () => {
      expect(formatMsgs([createMsg({ content })])).to.deep.equal([{ role: 'user', content: shown }]);
    });
  }

  it('a note between parts is a part', () => {
    expect(formatMsgs([createMsg({ content: [cat, clip] })])[0]?.content).to.deep.equal([
      { type: 'image_url', image_url: { url: 'https://pictures.example/cat.jpg' } },
      { type: 'text', text: '[video: https://videos.example/clip.mp4]' },
    ]);
  });

  it('the image of one of several agents is a part of its user message', () => {
    const draws = (...content: Parameters<typeof createMsg>[0]['content'] & object) =>
      createMsg({ name: 'Ada', role: 'ASSISTANT', content });
    const part = { type: 'image_url', image_url: { url: 'https://pictures.example/cat.jpg' } };
    expect(formatMsgs([draws(cat), draws(text('See.'), cat), spoken('Bert', 'Nice.')])).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: '[Ada]:' }, part] },
      { role: 'user', content: [{ type: 'text', text: '[Ada]: See.' }, part] },
      { role: 'user', content: '[Bert]: Nice.' },
    ]);
  });

  it('the image of the only agent, of the system and of a result is a note', () => {
    const messages = [
      createMsg({ role: 'SYSTEM', content: [text('Like this:'), cat] }),
      createMsg({ role: 'ASSISTANT', content: [cat, toolUse('c1', 'look', {})] }),
      createMsg({ role: 'TOOL', content: [toolResult('c1', [cat]), toolResult('c2', [text('A cat'), cat])] }),
    ];
    const note = '[image: https://pictures.example/cat.jpg]';
    expect(formatMsgs(messages).map(({ content }) => content)).to.deep.equal([
      `Like this:\n${note}`,
      note,
      note,
      `A cat\n${note}`,
    ]);
  });
});
