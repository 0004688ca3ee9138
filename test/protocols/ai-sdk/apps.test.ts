/** Tools of MCP servers that name an app. The chunks are those of `ai` 7.0 with the tool metadata of `@ai-sdk/mcp` 2.0. */
import { adapter as aiSdk } from '../../../src/protocols/ai-sdk/ai-sdk.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call, type ExpectedFields } from '../../support/bare.ts';
import { finish, finishStep, startStep, stream, toolInput, toolOutput } from './streams.ts';

const URI = 'ui://shop/cart';
const app = { resourceUri: URI, visibility: ['model', 'app'], mimeType: 'text/html;profile=mcp-app' };
const toolMetadata = { clientName: 'shop', toolName: 'cart', title: 'Cart', app };
const dynamic = { dynamic: true, title: 'Cart' };
const result = { content: [{ type: 'text', text: 'Cart 7 · Zoë' }], isError: false };

const body = (output: unknown, metadata: object = toolMetadata): string =>
  stream(
    { type: 'start', messageId: 'm' },
    startStep,
    { type: 'tool-input-start', toolCallId: 'c', toolName: 'cart', toolMetadata: metadata, ...dynamic },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"id":7}' },
    toolInput('c', 'cart', { id: 7 }, { toolMetadata: metadata, ...dynamic }),
    toolOutput('c', output, { toolMetadata: metadata, dynamic: true }),
    finishStep,
    finish('stop'),
  );

const reply = (output: unknown, ui: object | undefined, metadata: object = toolMetadata) => ({
  status: 'complete',
  finish: 'complete',
  metadata: {
    messageId: 'm',
    rounds: [
      {
        protocol: 'ai-sdk',
        items: [
          { type: 'step-start' },
          {
            type: 'dynamic-tool',
            toolName: 'cart',
            toolCallId: 'c',
            title: 'Cart',
            toolMetadata: metadata,
            state: 'output-available',
            input: { id: 7 },
            output,
          },
        ],
      },
    ],
  },
  blocks: [
    call('c', 'cart', { params: '{"id":7}', response: JSON.stringify(output) }, { description: 'Cart' }),
    ...(ui ? [{ type: 'ui', ui, extra: { dataId: `c ${URI}` } } as ExpectedFields] : []),
  ],
});

const named = { kind: 'mcp-app', uri: URI, name: 'Cart', server: { id: 'shop' }, arguments: { id: 7 } };
const without = { clientName: 'shop', toolName: 'cart' };
const elsewhere = { ...toolMetadata, app: { ...app, resourceUri: 'https://shop.example/' } };

describe('ai-sdk, apps of MCP tools', () => {
  testBodies(aiSdk, [
    {
      name: 'the app that the tool names, with its arguments and its result',
      body: body(result),
      messages: [reply(result, { ...named, result })],
    },
    {
      name: 'the result of a tool with an output schema',
      body: body({ sum: 7 }),
      messages: [
        reply(
          { sum: 7 },
          {
            ...named,
            result: { content: [{ type: 'text', text: '{"sum":7}' }], structuredContent: { sum: 7 } },
          },
        ),
      ],
    },
    {
      name: 'no app in the metadata',
      body: body(result, without),
      messages: [reply(result, undefined, without)],
    },
    {
      name: 'an address instead of a resource',
      body: body(result, elsewhere),
      messages: [reply(result, undefined, elsewhere)],
    },
    {
      name: 'a call that fails shows no app',
      body: stream(
        startStep,
        toolInput('c', 'cart', { id: 7 }, { toolMetadata, ...dynamic }),
        { type: 'tool-output-error', toolCallId: 'c', errorText: 'Closed', toolMetadata, dynamic: true },
        finishStep,
        finish('stop'),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          metadata: {
            rounds: [
              {
                protocol: 'ai-sdk',
                items: [
                  { type: 'step-start' },
                  {
                    type: 'dynamic-tool',
                    toolName: 'cart',
                    toolCallId: 'c',
                    title: 'Cart',
                    toolMetadata,
                    state: 'output-error',
                    input: { id: 7 },
                    errorText: 'Closed',
                  },
                ],
              },
            ],
          },
          blocks: [
            call('c', 'cart', { params: '{"id":7}', response: 'Closed' }, { status: 'error', description: 'Cart' }),
          ],
        },
      ],
    },
  ]);
});
