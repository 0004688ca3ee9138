import { expect } from '@open-wc/testing';
import { adapter as aiSdk } from '../../../src/protocols/ai-sdk/ai-sdk.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, conversation, system, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import {
  turnAfter,
  toolInput,
  bodyOf,
  finish,
  toolOutput,
  sentParts,
  replyOf,
  startStep,
  withBlocks,
  textChunks,
} from './streams.ts';

const body = (...messages: readonly object[]): object => ({ id: 'thread', messages, trigger: 'submit-message' });
const message = (id: string, role: string, ...parts: readonly object[]): object => ({ id, role, parts });
const text = (content: string): object => ({ type: 'text', text: content, state: 'done' });

describe('ai-sdk, request', () => {
  testRequests(aiSdk, [
    {
      name: 'the first message',
      messages: [user('hi')],
      body: body(message('m1', 'user', text('hi'))),
    },
    {
      name: 'the complete conversation, with the server’s ids if it has given any',
      messages: [user('hi'), assistant('Hello', { metadata: { messageId: 'srv' } }), system('Be brief.'), user('more')],
      body: body(
        message('m1', 'user', text('hi')),
        message('srv', 'assistant', text('Hello')),
        message('m3', 'system', text('Be brief.')),
        message('m4', 'user', text('more')),
      ),
    },
    {
      name: 'the page’s settings beside it',
      messages: [user('hi', { metadata: { data: { tab: 1 } } })],
      options: {
        model: 'm-1',
        system: 'Be kind.',
        context: { page: 2 },
        tools: [{ name: 'f', description: 'Does f', parameters: { type: 'object' } }],
      },
      body: {
        ...body({ ...message('m1', 'user', text('hi')), metadata: { tab: 1 } }),
        model: 'm-1',
        system: 'Be kind.\n\nContext of the page the user is on:\n{"page":2}',
        tools: { f: { description: 'Does f', parameters: { type: 'object' } } },
      },
    },
    {
      name: 'files before the text',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png', name: 'a.png' },
            { kind: 'image', url: 'https://a.example/p' },
            { kind: 'audio', data: 'BB', mimeType: 'audio/mpeg' },
            { kind: 'file', url: 'https://a.example/d', name: 'd' },
          ],
        }),
      ],
      body: body(
        message(
          'm1',
          'user',
          { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AA' },
          { type: 'file', mediaType: 'image/*', url: 'https://a.example/p' },
          { type: 'file', mediaType: 'audio/mpeg', url: 'data:audio/mpeg;base64,BB' },
          { type: 'file', mediaType: 'application/octet-stream', filename: 'd', url: 'https://a.example/d' },
          text('look'),
        ),
      ),
    },
    {
      name: 'a reply of another protocol, from its blocks',
      messages: [
        user('hi'),
        assistant([
          { type: 'reasoning_content', content: 'Hm' },
          toolBlock('a', 'f', '{"x":1}', '{"y":2}'),
          toolBlock('b', 'f', '', 'Broken', true),
          toolBlock('c', 'f', '{"x":'),
          toolBlock('d', 'f', '{}'),
          {
            type: 'content',
            content: 'Done',
            citations: [
              { id: 's', url: 'https://a.example/', title: 'A' },
              { id: 'd', title: 'D', extra: { mediaType: 'application/pdf' } },
              { id: 'q', quote: 'of nothing' },
            ],
          },
          { type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } },
          {
            type: 'data',
            data: { data_type: 'custom', data: 1, metadata: { dataType: 'w' } },
            extra: { dataId: 'w:7' },
          },
          { type: 'data', data: { data_type: 'custom', data: 2 } },
          { type: 'error', status: 'error', content: 'Boom' },
        ]),
        user('more'),
      ],
      body: body(
        message('m1', 'user', text('hi')),
        message(
          'm2',
          'assistant',
          { type: 'reasoning', text: 'Hm', state: 'done' },
          {
            type: 'dynamic-tool',
            toolName: 'f',
            toolCallId: 'a',
            state: 'output-available',
            input: { x: 1 },
            output: { y: 2 },
          },
          {
            type: 'dynamic-tool',
            toolName: 'f',
            toolCallId: 'b',
            state: 'output-error',
            input: {},
            errorText: 'Broken',
          },
          {
            type: 'dynamic-tool',
            toolName: 'f',
            toolCallId: 'd',
            state: 'output-error',
            input: {},
            errorText: 'The call was not finished.',
          },
          { type: 'step-start' },
          text('Done'),
          { type: 'source-url', sourceId: 's', url: 'https://a.example/', title: 'A' },
          { type: 'source-document', sourceId: 'd', mediaType: 'application/pdf', title: 'D' },
          { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA' },
          { type: 'data-w', id: '7', data: 1 },
        ),
        message('m3', 'user', text('more')),
      ),
    },
    {
      name: 'no message without a part',
      messages: [user('hi'), assistant([{ type: 'error', status: 'error', content: 'Boom' }]), user('more')],
      body: body(message('m1', 'user', text('hi')), message('m3', 'user', text('more'))),
    },
    {
      name: 'invalid stored parts are ignored',
      messages: [
        user('hi'),
        assistant('Hello', {
          metadata: { rounds: [{ protocol: 'ai-sdk', items: [7, { type: 'text', text: 'Hello' }] }] },
        }),
      ],
      body: body(message('m1', 'user', text('hi')), message('m2', 'assistant', text('Hello'))),
    },
  ]);

  const chunks = [
    { type: 'start', messageId: 'm', messageMetadata: { cost: 1 } },
    startStep,
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm', providerMetadata: { a: { signature: 's' } } },
    { type: 'reasoning-end', id: 'r' },
    toolInput('c', 'f', {}, { providerExecuted: true, providerMetadata: { a: { id: 'i' } } }),
    toolOutput('c', [1], { providerExecuted: true, providerMetadata: { a: { id: 'o' } } }),
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    { type: 'source-url', sourceId: 's', url: 'https://a.example/', title: 'A' },
    { type: 'data-w', id: '7', data: { t: 1 } },
    { type: 'data-w', id: '7', data: { t: 2 } },
    ...textChunks('1', 'Yes'),
    finish('stop'),
  ];
  const parts = [
    { type: 'step-start' },
    { type: 'reasoning', id: 'r', text: 'Hm', state: 'done', providerMetadata: { a: { signature: 's' } } },
    {
      type: 'tool-f',
      toolCallId: 'c',
      state: 'output-available',
      input: {},
      output: [1],
      providerExecuted: true,
      callProviderMetadata: { a: { id: 'i' } },
      resultProviderMetadata: { a: { id: 'o' } },
    },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    { type: 'source-url', sourceId: 's', url: 'https://a.example/', title: 'A' },
    { type: 'data-w', id: '7', data: { t: 2 } },
    { type: 'text', text: 'Yes', state: 'done' },
  ];

  it('sends a reply back unchanged, with its metadata', async () => {
    const reply = await replyOf(...chunks);
    const [, sent] = (await bodyOf(turnAfter(reply))).messages;
    expect(sent).to.deep.equal({ id: 'm', role: 'assistant', metadata: { cost: 1 }, parts });
  });

  it('sends no image that was refused', async () => {
    const reply = withBlocks(await replyOf(...chunks), (block) =>
      block.type === 'image' ? { type: 'image', id: block.id, timestamp: block.timestamp, status: 'error' } : block,
    );
    expect(await sentParts(turnAfter(reply))).to.deep.equal(parts.filter(({ type }) => type !== 'file'));
  });

  it('sends the visible text if the page has changed it', async () => {
    const reply = withBlocks(await replyOf(...chunks), (block) =>
      block.type === 'content' ? { ...block, content: 'No' } : block,
    );
    expect(JSON.stringify(await sentParts(turnAfter(reply))))
      .to.contain('"No"')
      .and.not.contain('Yes');
  });

  it('names the reply to regenerate', async () => {
    const [old] = conversation(assistant('Hello', { metadata: { messageId: 'srv' } }));
    const fork = { by: 'regenerate', reply: old } as const;
    const sent = await bodyOf({ ...emptyTurn, text: 'hi', messages: conversation(user('hi')), fork });
    expect(sent).to.deep.equal({
      ...body(message('m1', 'user', text('hi'))),
      trigger: 'regenerate-message',
      messageId: 'srv',
    });
  });

  it('resumes a reply at an address below the endpoint', async () => {
    const resumption = await aiSdk.resume?.(
      { ...emptyTurn, threadId: 'a/b' },
      { ...requestOptions, url: 'https://a.example/api/chat/?x=1', headers: { authorization: 'k' } },
    );
    expect(resumption).to.deep.equal({
      from: 'start',
      request: {
        url: 'https://a.example/api/chat/a%2Fb/stream?x=1',
        init: { method: 'GET', headers: { accept: 'text/event-stream', authorization: 'k' } },
      },
    });
  });

  it('does not prepend an interrupted reply to its repetition', async () => {
    const cut = { ...(await replyOf(...chunks)), finish: 'error' as const };
    expect(await bodyOf(turnAfter(cut))).to.not.have.property('messageId');
  });
});
