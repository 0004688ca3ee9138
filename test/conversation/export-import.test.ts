import { expect } from '@open-wc/testing';
import { exportConversation } from '../../src/conversation/export.ts';
import { importConversation } from '../../src/conversation/import.ts';
import { bareMessage } from '../support/bare.ts';
import { assistant, conversation, system, toolBlock, user } from '../support/messages.ts';

const talk = conversation(
  system('Be kind.'),
  user('Weather?', { blocks: [{ type: 'image', name: 'map', url: 'https://a.example/map.png' }] }),
  assistant(
    [
      { type: 'reasoning_content', content: 'Look\nit up.' },
      { type: 'content', content: 'Wait.' },
      toolBlock('t1', 'weather', '{"city":"Bonn"}', 'rain'),
      { type: 'content', content: 'It **rains**.', citations: [{ id: 'c', url: 'https://a.example/', end: 2 }] },
    ],
    { name: 'Ann', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }, metadata: { a: 1 } },
  ),
);

describe('export and import', () => {
  it('json: everything comes back', () => {
    const again = conversation(...importConversation(exportConversation(talk, 'json'), 'json'));
    expect(again).to.deep.equal(talk);
  });

  it('json: what is no field of ours stays outside', () => {
    const [first] = importConversation([{ ...talk[0]!, foreign: 1 }], 'json');
    expect(first).not.to.have.property('foreign');
  });

  for (const format of ['openai-messages', 'agentscope-msgs'] as const) {
    it(`${format}: words, thoughts, calls and pictures come back`, () => {
      const again = conversation(...importConversation(exportConversation(talk, format), format));
      const parts = again.flatMap((message) => message.blocks.map((block) => [message.role, block.type]));
      expect(parts).to.deep.equal([
        ['system', 'content'],
        ['user', 'content'],
        ['user', 'image'],
        ['assistant', 'reasoning_content'],
        ['assistant', 'content'],
        ['assistant', 'tool_call'],
        ['assistant', 'content'],
      ]);
    });

    it(`${format}: a second way round changes nothing`, () => {
      const once = exportConversation(talk, format);
      const again = exportConversation(conversation(...importConversation(once, format)), format);
      expect(JSON.parse(again)).to.deep.equal(JSON.parse(once));
    });

    it(`${format}: takes what is parsed already`, () => {
      const parsed: unknown = JSON.parse(exportConversation(talk, format));
      expect(importConversation(parsed, format).length).to.be.greaterThan(2);
    });
  }

  it('agentscope-msgs: a message of ours is one again', () => {
    const again = conversation(...importConversation(exportConversation(talk, 'agentscope-msgs'), 'agentscope-msgs'));
    expect(again.map(({ name, role }) => `${role} ${name ?? ''}`)).to.deep.equal([
      'system system',
      'user user',
      'assistant Ann',
    ]);
    expect(bareMessage(again[2]!)['blocks']).to.deep.equal(
      (bareMessage(talk[2]!)['blocks'] as object[]).map((block) => ({ ...block, citations: undefined })).map(defined),
    );
  });

  const defined = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

  it('markdown: who said what, thoughts and tools as quotes', () => {
    expect(exportConversation(talk, 'markdown')).to.equal(
      [
        '### System',
        'Be kind.',
        '### You',
        'Weather?',
        '[map](https://a.example/map.png)',
        '### Ann',
        '> *Thought:* Look\n> it up.',
        'Wait.',
        '> **weather** {"city":"Bonn"}\n> → rain',
        'It **rains**.',
      ].join('\n\n'),
    );
  });

  it('markdown: code, data, files and errors; what is hidden and tools’ messages stay out', () => {
    const messages = conversation(
      user('secret', { metadata: { hidden: true } }),
      { role: 'tool', text: 'raw' },
      assistant([
        { type: 'code', code: { language: 'ts', content: 'x()' } },
        { type: 'data', data: { data_type: 'custom', data: { a: 1 } } },
        { type: 'file', name: 'x.pdf' },
        { type: 'error', status: 'error', content: 'boom' },
        { type: 'status', phase: 'done' },
      ]),
    );
    expect(exportConversation(messages, 'markdown')).to.equal(
      ['### Assistant', '```ts\nx()\n```', '```json\n{\n  "a": 1\n}\n```', '*file: x.pdf*', '> *Error:* boom'].join(
        '\n\n',
      ),
    );
  });

  const broken: readonly {
    readonly name: string;
    readonly data: unknown;
    readonly format: 'json' | 'openai-messages' | 'agentscope-msgs';
    readonly says: RegExp;
  }[] = [
    { name: 'text that is no JSON', data: '[{', format: 'json', says: /not JSON/ },
    { name: 'an object instead of a list', data: {}, format: 'json', says: /"json"/ },
    { name: 'a message without blocks', data: [{ id: 'm', role: 'user' }], format: 'json', says: /0\.(status|blocks)/ },
    { name: 'a role that is none', data: [{ role: 'robot', content: '' }], format: 'openai-messages', says: /0\.role/ },
    { name: 'a Msg without a name', data: [{ role: 'USER', content: [] }], format: 'agentscope-msgs', says: /0\.name/ },
  ];
  for (const { name, data, format, says } of broken) {
    it(`refuses ${name}, and says where`, () => {
      expect(() => importConversation(data, format))
        .to.throw(says)
        .with.property('kind', 'protocol');
    });
  }
});
