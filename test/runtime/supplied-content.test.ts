/** Content that the page supplies with `send()`, in every protocol. */
import { expect } from '@open-wc/testing';
import type { AgentMessageContent } from '../../src/model/agent-message.ts';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import type { SendInput } from '../../src/runtime/chat/user-message.ts';
import { PIXEL } from '../support/pixel.ts';
import { makeChat } from './support/make-chat.ts';
import { callsOf, completionOf, stream, type Answerer } from './support/scripted-server.ts';

/** Answers every request, also those that create a thread, a task or a session. */
const anything: Answerer = () =>
  new Response(JSON.stringify({ id: 't', thread_id: 't', sessionId: 't', session_id: 't', text: 'Yes.' }), {
    headers: { 'content-type': 'application/json' },
  });

/** Protocols that need more than an address. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { adk: { appName: 'app' } };

const contents: readonly (readonly [name: string, content: AgentMessageContent, sent: readonly string[]])[] = [
  ['code', { code: { language: 'ts', content: 'let marked = 1;', filename: 'a.ts' } }, ['let marked = 1;']],
  ['code with a text', { text: 'Why?', code: { language: 'ts', content: 'let marked = 1;' } }, ['Why?', 'let marked']],
  ['data', { data: { format: 'csv', content: 'marked,2' } }, ['marked,2']],
  ['data as JSON', { data: { format: 'json', content: { marked: [1] } } }, ['marked']],
  ['a command', { command: { type: 'marked-command', parameters: { path: 'p-1' } } }, ['marked-command', 'p-1']],
  ['structured data', { structured: { type: 'marked-order', data: { id: 'o-1' } } }, ['marked-order', 'o-1']],
  ['a text file', { file: { name: 'marked.txt', mimeType: 'text/plain', content: 'marked text' } }, ['marked']],
];

async function sentBy(protocol: string, input: SendInput) {
  const { chat, server } = makeChat([anything], { protocol, body: BODIES[protocol] });
  await chat.send(input);
  return (await Promise.all(server.asked.map(({ init }) => textOf(init.body)))).join('\n');
}

async function textOf(body: BodyInit | null | undefined): Promise<string> {
  if (!(body instanceof FormData)) return await new Response(body).text();
  return (await Promise.all([...body.values()].map((value) => new Response(value).text()))).join();
}

/** Connected by a WebSocket, with the messages of `ai-sdk`. */
const SOCKET = 'cloudflare-agents';
const protocols = new ProtocolRegistry().list().filter(({ id }) => id !== SOCKET);

describe('send() with content that a protocol has no place for', () => {
  for (const { id } of protocols) {
    for (const [name, content, expected] of contents) {
      it(`${id}: ${name} is sent`, async () => {
        const sent = await sentBy(id, content);
        for (const text of expected) expect(sent).to.contain(text);
      });
    }
  }
});

describe('send() with files', () => {
  const attachments = [{ kind: 'file', name: 'marked.txt', mimeType: 'text/plain', data: btoa('marked') }] as const;
  for (const { id } of protocols) {
    it(`${id}: a file without a text is sent, or described`, async () => {
      expect(await sentBy(id, { text: '', attachments })).to.match(/marked|bWFya2Vk/);
    });
  }
});

const CODE = { code: { language: 'ts', content: 'let a = "```";', filename: 'a.ts' } } as const;
const CODE_TEXT = 'a.ts\n````ts\nlet a = "```";\n````';

describe('content as text', () => {
  it('code is in a block that it cannot end, below the text, also in later turns', async () => {
    const { chat, server } = makeChat([stream(completionOf('Yes.'))], { protocol: 'openai-chat' });
    await chat.send({ text: 'Why?', ...CODE });
    await chat.send('And?');
    const texts = server.bodies.map((body) => (body as { messages: { content: string }[] }).messages[0]?.content);
    expect(texts).to.deep.equal([`Why?\n\n${CODE_TEXT}`, `Why?\n\n${CODE_TEXT}`]);
    // The conversation has it as it was supplied.
    expect(chat.messages[0]?.blocks.map(({ type }) => type)).to.deep.equal(['content', 'code']);
  });

  for (const content of [
    { structured: { type: 'order', data: [1] } },
    { command: { type: 'order', parameters: { id: 1 } } },
  ])
    it(`${Object.keys(content).join()} has the type by which a renderer is chosen`, async () => {
      const { chat } = makeChat([stream(completionOf('Yes.'))], { protocol: 'openai-chat' });
      await chat.send(content);
      expect(chat.messages[0]?.blocks[0]).to.have.nested.property('data.metadata.dataType', 'order');
    });

  it('all of several contents are sent, with the files', async () => {
    const { chat, server } = makeChat([stream(completionOf('Yes.'))], { protocol: 'openai-chat' });
    await chat.send({
      ...CODE,
      data: { format: 'csv', content: 'a,b' },
      command: { type: 'open', parameters: {} },
      structured: { type: 'order', data: [1] },
      file: { name: 'b.txt', mimeType: 'text/plain', content: 'Grüße' },
      image: { data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    });
    const [{ messages }] = server.bodies as [{ messages: { content: unknown }[] }];
    const text = [
      CODE_TEXT,
      '```csv\na,b\n```',
      '```json\n{\n  "type": "open",\n  "parameters": {}\n}\n```',
      '```json\n{\n  "type": "order",\n  "data": [\n    1\n  ]\n}\n```',
    ].join('\n\n');
    expect(messages[0]?.content).to.deep.equal([
      { type: 'text', text },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'text', text: 'Attached file b.txt:\nGrüße' },
    ]);
  });

  it('a protocol without files gets the text of a text file, and a note of another one', async () => {
    const sent = await sentBy('agent-phase', {
      text: 'Look',
      attachments: [
        { kind: 'file', name: 'a.txt', data: btoa('Hello') },
        { kind: 'image', name: 'a.png', url: 'https://a.example/a.png' },
      ],
    });
    expect((JSON.parse(sent) as { messages: unknown }).messages).to.deep.equal([
      {
        role: 'user',
        content:
          'Look\n\nAttached file a.txt:\nHello\n\nAttached file, which can’t be shown to you: a.png https://a.example/a.png',
      },
    ]);
  });

  it('a protocol with images and recordings gets other files as text or a note, also in later turns', async () => {
    const { chat, server } = makeChat([stream(completionOf('Yes.'))], { protocol: 'agentscope-msg' });
    const pixel = { kind: 'image', name: 'a.png', data: PIXEL, mimeType: 'image/png' } as const;
    const sound = { kind: 'audio', name: 'a.wav', data: 'UklGRiQAAAA=', mimeType: 'audio/wav' } as const;
    await chat.send({
      text: 'Look',
      attachments: [
        { kind: 'file', name: 'a.txt', mimeType: 'text/plain', data: btoa('Hello') },
        pixel,
        sound,
        { kind: 'file', name: 'a.pdf', mimeType: 'application/pdf', data: btoa('%PDF-1.4') },
        { kind: 'file', name: 'b.pdf', url: 'https://a.example/b.pdf' },
      ],
    });
    await chat.send('And?');
    const note = 'Attached file, which can’t be shown to you:';
    for (const body of server.bodies) {
      expect((body as { messages: { content: unknown }[] }).messages[0]?.content).to.deep.equal([
        {
          type: 'text',
          text: `Look\n\nAttached file a.txt:\nHello\n\n${note} a.pdf (application/pdf)\n\n${note} b.pdf https://a.example/b.pdf`,
        },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'UklGRiQAAAA=' } },
      ]);
    }
    // The conversation has the files as they were attached.
    expect(chat.messages[0]?.blocks.map(({ type }) => type)).to.deep.equal([
      'content',
      'file',
      'image',
      'audio',
      'file',
      'file',
    ]);
  });

  it('deepchat-events gets the content itself', async () => {
    const sent = await sentBy('deepchat-events', CODE);
    expect(JSON.parse(sent)).to.have.nested.property('messages[0].content').that.deep.equals(CODE);
  });

  it('a first request of an unknown protocol has the content, and its text for servers that read it elsewhere', async () => {
    const body = JSON.parse(await sentBy('auto', CODE)) as { message: string; messages: Record<string, unknown>[] };
    expect(body.message).to.equal(CODE_TEXT);
    expect(body.messages[0]).to.deep.include({
      type: 'code',
      content: CODE,
      parts: [{ type: 'text', text: CODE_TEXT, content: CODE_TEXT }],
    });
  });

  it('a later request of a turn has no text of its own', async () => {
    const look = { name: 'look', description: 'Looks', parameters: {}, execute: () => 'found' };
    const { chat, server } = makeChat([stream(callsOf(['c1', 'look', '{}'])), stream(completionOf('Yes.'))], {
      protocol: 'openai-chat',
      tools: [look],
    });
    await chat.send(CODE);
    const roles = server.bodies.map((body) =>
      (body as { messages: { role: string }[] }).messages.map(({ role }) => role),
    );
    expect(roles).to.deep.equal([['user'], ['user', 'assistant', 'tool']]);
  });
});
