import { expect } from '@open-wc/testing';
import { adapter as agUi } from '../../../src/protocols/ag-ui/ag-ui.ts';
import type { LLMAgentEvent } from '../../../src/model/events/agent-events.ts';
import type { Turn } from '../../../src/protocols/core/adapter.ts';
import type { Frame } from '../../../src/transport/frame.ts';
import { bareBlock, call, text } from '../../support/bare.ts';
import { assistant, conversation, user } from '../../support/messages.ts';
import { decodeContext, emptyTurn, playBody, requestOptions, sse } from '../../support/play-body.ts';
import { callTool, finished, interrupted, result, say, started } from './streams.ts';

const toolsRun = { ...finished, metadata: { tanstack: { finishReason: 'tool_calls' } } };
const stopped = { ...finished, metadata: { tanstack: { finishReason: 'stop' } } };
const ofServer = [started, ...callTool('c', 'f', '{}'), toolsRun, result('c', 'ok'), ...say('m', 'Done'), stopped];
const clientTool = interrupted({
  id: 'client_tool_c',
  reason: 'tanstack:client_tool_execution',
  message: 'Client tool f is ready to run',
  toolCallId: 'c',
  responseSchema: {},
});
const approval = interrupted({
  id: 'approval_c',
  reason: 'tool_call',
  toolCallId: 'c',
  responseSchema: {
    oneOf: [
      { type: 'object', properties: { approved: { const: true }, editedArgs: { type: 'object' } } },
      { type: 'object', properties: { approved: { const: false } } },
    ],
  },
  metadata: { 'tanstack:interruptBinding': { v: 1, interruptedRunId: 'r0' } },
});

describe('ag-ui, TanStack AI', () => {
  it('waits for the server’s tools, however long they take', async () => {
    const events: LLMAgentEvent[] = [];
    async function* read(): AsyncGenerator<readonly Frame[]> {
      for (const event of ofServer) {
        yield [{ data: JSON.stringify(event) }];
        // The silence between two events is longer than any limit.
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
    const silence = decodeContext([], () => Promise.resolve());
    for await (const batch of agUi.decode(read(), silence)) events.push(...(batch as readonly LLMAgentEvent[]));
    const seen = events.flatMap((event) =>
      event.type === 'response' ? [event.data.content, event.data.finish].filter((value) => value !== undefined) : [],
    );
    expect(seen.slice(0, 2)).to.deep.equal(['Done', 'complete']);
  });

  for (const { state, status } of [
    { state: 'output-error', status: 'error' },
    { state: 'output-available', status: 'success' },
  ])
    it(`reads the state "${state}" of a result, not its words`, async () => {
      const content = state === 'output-error' ? '{"error":"User declined tool execution"}' : 'Error: 404 is the code';
      const of = { ...result('c', content), metadata: { tanstack: { state } } };
      const { messages } = await playBody(
        agUi,
        sse(started, ...callTool('c', 'f', '{}'), of, ...say('m', 'Done'), stopped),
      );
      expect(messages[0]?.blocks[0]?.status).to.equal(status);
    });

  it('leaves a call of a page tool to the page, without a question', async () => {
    const { messages, outcome } = await playBody(agUi, sse(started, ...callTool('c', 'f', '{}'), clientTool));
    expect(messages[0]?.blocks.map(({ type }) => type)).to.deep.equal(['tool_call']);
    expect(outcome.finish).to.equal('tool_use');
  });

  it('answers with the interrupted run, and allows changed arguments', async () => {
    const { messages } = await playBody(agUi, sse(started, ...callTool('c', 'f', '{}'), approval));
    const question = messages[0]?.blocks.find((block) => block.type === 'action');
    expect(question?.extra?.['editable']).to.equal(true);
    const turn: Turn = {
      ...emptyTurn,
      messages: [...conversation(user('hi')), ...messages],
      answers: [
        {
          decision: 'granted',
          blockId: question?.id ?? '',
          actionType: 'tool_call_permission',
          toolCallId: 'c',
          arguments: { a: 1 },
          extra: { requestId: 'approval_c' },
        },
      ],
    };
    const { body } = (await agUi.request(turn, requestOptions)).init;
    expect(body).to.include({ parentRunId: 'r0' });
    expect((body as { resume: unknown }).resume).to.deep.equal([
      { interruptId: 'approval_c', status: 'resolved', payload: { approved: true, editedArgs: { a: 1 } } },
    ]);
  });

  const url = 'https://a.example/api/chat?k=1';
  const resume = (metadata: Record<string, unknown>, lastEventId?: string) =>
    agUi.resume?.(
      { ...emptyTurn, messages: conversation(user('hi'), assistant('On', { metadata })) },
      { ...requestOptions, url, lastEventId },
    );

  it('resumes after the last event, or after the first one once the page has been reloaded', async () => {
    const ids = { firstEventId: 'e1', runId: 'r' };
    const last = await resume(ids, 'e7');
    expect([last?.request.url, last?.request.init.method, last?.from]).to.deep.equal([
      `${url}&offset=e7&runId=r`,
      'GET',
      'last',
    ]);
    const first = await resume(ids);
    expect([first?.request.url, first?.from]).to.deep.equal([`${url}&offset=e1&runId=r`, 'start']);
  });

  it('does not resume on a server without event ids', async () => {
    expect(await resume({ runId: 'r' })).to.equal(undefined);
  });

  it('stores the id of the first event', async () => {
    const numbered = [started, ...say('m', 'Hi'), stopped].map((event, n) => `id: e${String(n)}\n${sse(event)}`);
    const { messages } = await playBody(agUi, numbered.join(''));
    expect(messages[0]?.metadata?.['firstEventId']).to.equal('e0');
  });

  for (const [name, body] of [
    ['events', sse(...ofServer)],
    [
      'lines with ids',
      ofServer.map((chunk, index) => `${JSON.stringify({ id: `e${String(index)}`, chunk })}\n`).join(''),
    ],
  ] as const) {
    it(`decodes a run with a tool of the server, as ${name}`, async () => {
      const { messages, warnings, outcome } = await playBody(agUi, body);
      expect(messages.map(({ blocks }) => blocks.map(bareBlock))).to.deep.equal([
        [call('c', 'f', { params: '{}', response: 'ok' }), text('Done')],
      ]);
      expect([outcome.status, warnings]).to.deep.equal(['complete', []]);
    });
  }
});
