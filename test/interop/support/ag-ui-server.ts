/** An AG-UI agent on loopback that writes with the vendor's own encoder, and reads its input with the vendor's own schema. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import { EventEncoder } from '@ag-ui/encoder';

/** The events of a run, without its start, and without its end if they contain none. */
export type Run = readonly (Readonly<Record<string, unknown>> & { readonly type: string })[];

export interface AgUiServer {
  readonly url: string;
  /** Sets the runs of the next requests, in order; the last one answers all further requests. */
  play(...runs: readonly Run[]): void;
  /** The requests since the last call of `serve`. */
  readonly inputs: readonly RunAgentInput[];
  /** The validation errors of these requests. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export async function agUiServer(): Promise<AgUiServer> {
  let waiting: Run[] = [];
  let inputs: RunAgentInput[] = [];
  const faults: string[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    void json(request).then((body) => {
      const input = RunAgentInputSchema.safeParse(body);
      if (!input.success) {
        faults.push(input.error.message);
        response.writeHead(422, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ detail: input.error.issues }));
        return;
      }
      const { threadId, runId } = input.data;
      inputs.push(input.data as RunAgentInput);
      const events = waiting.length > 1 ? waiting.shift() : waiting[0];
      const encoder = new EventEncoder(request.headers.accept === undefined ? {} : { accept: request.headers.accept });
      response.writeHead(200, { 'content-type': encoder.getContentType() });
      for (const event of completeRun(events ?? [], { threadId, runId })) {
        response.write(encoder.encodeBinary(EventSchemas.parse(event) as BaseEvent));
      }
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/agent`,
    play(...runs) {
      waiting = [...runs];
      inputs = [];
    },
    get inputs() {
      return inputs;
    },
    faults,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function completeRun(events: Run, ids: { readonly threadId: string; readonly runId: string }): Run {
  const ends = events.some(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR');
  return [{ type: 'RUN_STARTED' }, ...events, ...(ends ? [] : [{ type: 'RUN_FINISHED' }])].map((event) =>
    event.type === 'RUN_STARTED' || event.type === 'RUN_FINISHED' ? { ...event, ...ids } : event,
  );
}

export const textMessage = (messageId: string, ...deltas: readonly string[]): Run => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
];
export const think = (messageId: string, ...deltas: readonly string[]): Run => [
  { type: 'REASONING_START', messageId },
  { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
  ...deltas.map((delta) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta })),
  { type: 'REASONING_MESSAGE_END', messageId },
  { type: 'REASONING_END', messageId },
];
export const callTool = (toolCallId: string, toolCallName: string, args: string, parentMessageId: string): Run => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args.slice(0, 5) },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args.slice(5) },
  { type: 'TOOL_CALL_END', toolCallId },
];
export const result = (toolCallId: string, content: string): Run => [
  { type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-result`, toolCallId, content, role: 'tool' },
];
export const interrupted = (...interrupts: readonly object[]): Run => [
  { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts } },
];
