/** Servers that answer with A2UI surfaces: AG-UI's own middleware, and A2A's own SDK. Both ask a scripted model. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { A2UIMiddleware } from '@ag-ui/a2ui-middleware';
import { AbstractAgent } from '@ag-ui/client';
import type { BaseEvent, Message, RunAgentInput } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import { from, type Observable } from 'rxjs';
import { isRecord, parseJson } from '../../../src/model/json.ts';
import { a2aServer } from '../../interop/support/a2a-server.ts';
import { textMessage, type Run } from '../../interop/support/ag-ui-server.ts';
import { toOperations, type Answer, type Model, type SurfaceEvent, type Turn } from './surface-flows.ts';

/** A model whose tool draws surfaces, as the middleware gives it to the agent. */
class SurfaceAgent extends AbstractAgent {
  readonly #model: Model;
  constructor(model: Model) {
    super();
    this.#model = model;
  }
  override run(input: RunAgentInput): Observable<BaseEvent> {
    const { threadId, runId, messages } = input;
    const props: unknown = input.forwardedProps;
    const answer = this.#model({
      ...turnIn(messages),
      dataModel: isRecord(props) ? props['a2uiClientDataModel'] : undefined,
    });
    const ends = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => ({ type, threadId, runId }));
    return from([ends[0], ...eventsOf(answer, runId), ends[1]] as unknown as BaseEvent[]);
  }
}

/** The middleware reports an action as a call of its tool `log_a2ui_event` at the end of the conversation. */
function turnIn(messages: readonly Message[]): Turn {
  const call = messages.at(-2);
  const logged = call?.role === 'assistant' ? call.toolCalls?.[0]?.function : undefined;
  const user = messages.findLast(({ role }) => role === 'user')?.content;
  const text = typeof user === 'string' ? user : '';
  return logged?.name === 'log_a2ui_event' && messages.at(-1)?.role === 'tool'
    ? { text, action: parseJson(logged.arguments) as SurfaceEvent }
    : { text };
}

/** A surface as the streamed arguments of `render_a2ui`, operations as the result of another tool. */
function eventsOf({ text, surface, operations }: Answer, runId: string): Run {
  const said = text === undefined ? [] : textMessage(`${runId}-text`, text);
  const drawn = surface && !surface.sendDataModel;
  const name = drawn ? 'render_a2ui' : 'draw';
  const list = surface ? toOperations(surface) : operations;
  if (!list) return said;
  const toolCallId = `${runId}-call`;
  const input = drawn
    ? JSON.stringify({ surfaceId: surface.surfaceId, components: surface.components, data: surface.data ?? {} })
    : '{}';
  return [
    ...said,
    { type: 'TOOL_CALL_START', toolCallId, toolCallName: name },
    ...(input.match(/.{1,17}/gs) ?? []).map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
    { type: 'TOOL_CALL_END', toolCallId },
    ...(drawn
      ? []
      : [
          {
            type: 'TOOL_CALL_RESULT',
            toolCallId,
            messageId: `${runId}-result`,
            content: JSON.stringify({ a2ui_operations: list }),
          },
        ]),
  ];
}

/** Answers an AG-UI request. */
export async function answerByMiddleware(
  model: Model,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = (await json(request)) as RunAgentInput;
  const middleware = new A2UIMiddleware({ injectA2UITool: true });
  const encoder = new EventEncoder();
  response.writeHead(200, { 'content-type': encoder.getContentType() });
  middleware.run(input, new SurfaceAgent(model)).subscribe({
    next: (event) => response.write(encoder.encode(event)),
    complete: () => response.end(),
    error: () => response.destroy(),
  });
}

export interface SurfaceServer {
  readonly endpoint: string;
  play(model: Model): void;
  close(): Promise<void>;
}

const MIME_TYPE = 'application/json+a2ui';

/** An A2A agent that declares the extension, and sends each operation as a data part of an artifact. */
export async function surfacesByA2a(): Promise<SurfaceServer> {
  const server = await a2aServer(['1.0'], ['JSONRPC'], ['https://a2ui.org/a2a-extension/a2ui/v0.9']);
  return {
    endpoint: `${server.origin}/.well-known/agent-card.json`,
    play(model) {
      server.play(({ request, startTask, artifact, status }) => {
        const { text, surface, operations } = model(turnOf(request.message));
        startTask('WORKING');
        const list = surface ? toOperations(surface) : (operations ?? []);
        if (list.length > 0)
          artifact(
            crypto.randomUUID(),
            list.map((data) => ({ data, metadata: { mimeType: MIME_TYPE }, mediaType: MIME_TYPE })),
          );
        status('INPUT_REQUIRED', text);
      });
    },
    close: () => server.close(),
  };
}

function turnOf(message: unknown): Turn {
  const { parts, metadata } = isRecord(message) ? message : {};
  const contents = (Array.isArray(parts) ? (parts as unknown[]) : []).map((part) =>
    isRecord(part) && isRecord(part['content']) ? part['content']['value'] : undefined,
  );
  const data = contents.flat().find((value) => isRecord(value) && isRecord(value['action'])) as
    | { readonly action: SurfaceEvent }
    | undefined;
  const text = contents.filter((value) => typeof value === 'string').join('');
  const dataModel = isRecord(metadata) ? metadata['a2uiClientDataModel'] : undefined;
  return data ? { text, action: data.action, dataModel } : { text };
}
