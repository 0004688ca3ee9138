/**
 * A2A over JSON-RPC, in the version of the request: 1.0, or 0.3, whose parts and events have a `kind`. The answer is
 * the task's artifact; the steps before it are its progress. Source: `docs/protocols/a2a.md`.
 */
import { randomUUID } from 'node:crypto';
import { BROKEN_SSE, play, streamChunks, sse, type Protocol } from '../play.ts';

const TASK_NOT_FOUND = { code: -32001, message: 'Tasks are not kept here.' };
type State = 'submitted' | 'working' | 'input-required' | 'completed' | 'failed';

export const a2a: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  beside: ({ body: { id, method } }) =>
    typeof method === 'string' && /^tasks\/|Task$/.test(method)
      ? { status: 200, json: { jsonrpc: '2.0', id: id ?? null, error: TASK_NOT_FOUND } }
      : undefined,

  async answer(exchange) {
    const { wire, turn, conversation: contextId } = exchange;
    const { id = 1, method } = turn.body;
    const old = method === 'message/stream';
    const taskId = randomUUID();
    const artifactId = randomUUID();
    const send = (kind: string, result: object): Promise<boolean> => {
      const name = kind.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase());
      return wire.send(sse({ jsonrpc: '2.0', id, result: old ? { kind, ...result } : { [name]: result } }));
    };
    const text = (words: string): object => ({ ...(old && { kind: 'text' }), text: words });
    const status = (state: State, words?: string): object => {
      const role = old ? 'agent' : 'ROLE_AGENT';
      const message = { ...(old && { kind: 'message' }), messageId: randomUUID(), role, taskId, contextId };
      return {
        state: old ? state : `TASK_STATE_${state.toUpperCase().replace('-', '_')}`,
        timestamp: new Date().toISOString(),
        ...(words && { message: { ...message, parts: [text(words)] } }),
      };
    };
    const become = (state: State, words?: string): Promise<boolean> => {
      const final = old && { final: state !== 'working' };
      return send('status-update', { taskId, contextId, status: status(state, words), ...final });
    };
    let hasStarted = false;
    const give = (part: object): Promise<boolean> => {
      const append = hasStarted;
      hasStarted = true;
      return send('artifact-update', { taskId, contextId, artifact: { artifactId, parts: [part] }, append });
    };
    const requested = { words: false };
    const ask = (step: { readonly question: string }): Promise<boolean> => {
      requested.words = true;
      return become('input-required', step.question);
    };

    await send('task', { id: taskId, contextId, status: status('submitted') });
    const ending = await play(exchange, {
      think: ({ text: words }) => become('working', words),
      text: ({ text: words }) => streamChunks(words, exchange, (chunk) => give(text(chunk))),
      async tool({ description, paces }) {
        await become('working', description);
        await wire.wait(paces);
      },
      image: ({ mimeType, data }) =>
        give(old ? { kind: 'file', file: { bytes: data, mimeType } } : { raw: data, mediaType: mimeType }),
      record: ({ value: data }) => give({ ...(old && { kind: 'data' }), data }),
      permission: ask,
      toolLimit: ask,
      error: ({ message }) => become('failed', message),
    });
    if (ending !== 'failed' && !requested.words) await become('completed');
    await wire.end();
  },
};
