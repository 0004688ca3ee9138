import { expect } from '@open-wc/testing';
import type { DetectionInput } from '../../../src/protocols/core/adapter.ts';
import { detectors } from '../../../src/protocols/detectors.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { sse } from '../../support/play-body.ts';
import { toolInput, finish, toolOutput, startStep, textChunks } from './streams.ts';

const signs = (header: string): DetectionInput => ({
  url: new URL('https://a.example/agent'),
  headers: new Headers({ [header]: 'v1' }),
  framing: 'sse',
  frames: [],
  ended: false,
});
const found = (body: string): Promise<string> => findProtocol(body, protocols.list());
const hello = textChunks('1', 'Hi');

describe('detection of AI SDK and assistant-ui streams', () => {
  for (const [header, id] of [
    ['x-vercel-ai-ui-message-stream', 'ai-sdk'],
    ['x-vercel-ai-data-stream', 'ai-sdk-v4'],
  ] as const) {
    it(`by the header ${header}`, () => {
      const sure = Object.keys(detectors).filter((name) => detectors[name]?.(signs(header)) === 'sure');
      expect(sure).to.deep.equal([id]);
    });
  }

  for (const chunk of [
    { type: 'start' },
    { type: 'start', messageId: 'm', messageMetadata: {} },
    startStep,
    ...hello,
    { type: 'reasoning-start', id: 'r' },
    { type: 'data-x', data: null },
    { type: 'message-metadata', messageMetadata: {} },
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
    toolInput('c', 'f'),
    toolOutput('c', 1),
    { type: 'source-url', sourceId: 's', url: 'https://a.example/' },
  ]) {
    it(`ai-sdk by ${JSON.stringify(chunk)}`, async () => {
      expect(await found(sse(chunk, finish()))).to.equal('ai-sdk');
    });
  }

  for (const line of [
    '0:"Hi"',
    'g:"Hm"',
    'f:{"messageId":"m"}',
    '2:[1]',
    '9:{"toolCallId":"c","toolName":"f","args":{}}',
    'd:{"finishReason":"stop"}',
    'aui-state:[]',
  ]) {
    it(`ai-sdk-v4 by ${line}`, async () => {
      expect(await found(`${line}\n`)).to.equal('ai-sdk-v4');
    });
  }

  for (const chunk of [
    { type: 'step-start', messageId: 'm' },
    { type: 'part-start', part: { type: 'text' }, path: [] },
    { type: 'text-delta', textDelta: 'Hi', path: [0] },
    { type: 'update-state', operations: [] },
  ]) {
    it(`assistant-transport by ${JSON.stringify(chunk)}`, async () => {
      expect(await found(sse(chunk))).to.equal('assistant-transport');
    });
  }

  it('reads only an error, by its field, if nothing else comes', async () => {
    expect(await found(sse({ type: 'error', errorText: 'x' }, '[DONE]'))).to.equal('ai-sdk');
    expect(await found('3:"x"\n')).to.equal('ai-sdk-v4');
    expect(await found(sse({ type: 'error', errorText: 'x' }, { choices: [{ delta: {} }] }))).to.equal('openai-chat');
  });

  it('ignores plain text and other protocols’ events', async () => {
    expect(await found('0:30 remaining')).to.equal('text');
    expect(await found(sse({ type: 'start', data: {} }))).to.match(/^unsupported-stream/);
    expect(await found(`event: x\n${sse({ type: 'text-delta', id: '1', delta: 'x' })}`)).to.match(
      /^unsupported-stream/,
    );
    expect(await found('3:[1]\n')).to.match(/^unsupported-stream/);
  });
});
