import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import type { RequestOptions, Turn } from '../../../src/protocols/core/adapter.ts';
import { request, result } from '../../../src/protocols/ag-ui/app-requests.ts';
import { assistant, conversation, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions, sse } from '../../support/play-body.ts';
import { bytesOf, chunksOf, cutsOf } from '../../support/cuts.ts';
import { frameLimits } from '../../../src/transport/frame.ts';
import { openFrames } from '../../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../../src/transport/text.ts';

const READ = { id: 'r1', method: 'resources/read', params: { uri: 'ui://shop/cart' } } as const;
const SERVER = { id: 'shop', hash: 'f00' };
const FORWARDED = { serverId: 'shop', serverHash: 'f00', method: 'resources/read', params: { uri: 'ui://shop/cart' } };
const started = { type: 'RUN_STARTED', threadId: 'r1', runId: 'r1' };
const finished = (more: object = {}): object => ({ type: 'RUN_FINISHED', threadId: 'r1', runId: 'r1', ...more });

const build = (url: string, turn: Partial<Turn> = {}, more: Partial<RequestOptions> = {}) =>
  request({ ...READ, server: SERVER }, { ...emptyTurn, ...turn }, { ...requestOptions, url, ...more });

/** The result in a body that arrives in these pieces. */
const resultOf = async (chunks: readonly Uint8Array[]): Promise<unknown> =>
  result((await openFrames(decodeUtf8(chunksOf(chunks), frameLimits))).batches);

describe('ag-ui, requests of MCP Apps', () => {
  it('are runs of their own, which the middleware answers', async () => {
    const { url, init } = await build('https://agent.example/agui', {}, { headers: { authorization: 'Bearer 1' } });
    expect(url).to.equal('https://agent.example/agui');
    expect(init).to.deep.equal({
      method: 'POST',
      headers: { accept: 'text/event-stream', authorization: 'Bearer 1' },
      body: {
        threadId: 'r1',
        runId: 'r1',
        state: {},
        messages: [],
        tools: [],
        context: [],
        forwardedProps: { __proxiedMCPRequest: FORWARDED },
      },
    });
  });

  it('go to the agent of CopilotKit’s runtime that has shown the app, without fields of the page', async () => {
    const shown = (single: boolean): Partial<Turn> => ({
      messages: conversation(user('Hi'), assistant('Here', { metadata: { copilotKit: { agent: 'shop', single } } })),
    });
    const page = { model: 'other', body: { forwardedProps: { mine: 1 } } };
    const separate = await build('https://a.example/api/copilotkit', shown(false), page);
    expect(separate.url).to.equal('https://a.example/api/copilotkit/agent/shop/run');
    const { init } = await build('https://a.example/api/copilotkit', shown(true), page);
    const sent = JSON.parse(await (init.body as Blob).text()) as Record<string, Record<string, unknown>>;
    expect(sent['params']).to.deep.equal({ agentId: 'shop' });
    expect(sent['body']?.['forwardedProps']).to.deep.equal({ __proxiedMCPRequest: FORWARDED });
  });

  const answer = { contents: [{ uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app', text: '<h1>Zoë</h1>' }] };
  const body = sse(started, { type: 'CUSTOM', name: 'x', value: 1 }, finished({ result: answer }));
  for (const { name, chunks } of cutsOf(body))
    it(`have the result of the run: ${name}`, async () => {
      expect(await resultOf(chunks)).to.deep.equal(answer);
    });

  for (const [name, events, words] of [
    ['an error of the run', [started, { type: 'RUN_ERROR', message: 'Down' }], 'Down'],
    [
      'an error of the middleware',
      [started, finished({ result: { error: 'Unknown server: shop' } })],
      'Unknown server',
    ],
    ['a run without a result', [started, finished()], 'no result'],
    ['a stream that is cut', [started], 'not finished'],
  ] as const)
    it(`fail with ${name}`, async () => {
      const error = await resultOf([bytesOf(sse(...events))]).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ChatError);
      expect((error as ChatError).message).to.include(words);
    });
});
