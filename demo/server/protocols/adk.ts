/**
 * Google ADK's API server: complete events, preceded by their text in chunks. Source: `google/adk-python`,
 * `cli/api_server.py`.
 */
import { randomUUID } from 'node:crypto';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { chunksOf } from '../chunks.ts';
import type { Call } from '../step.ts';

type Part = Readonly<Record<string, unknown>>;

const CONFIRMATION = 'adk_request_confirmation';
const APP = 'clerk';

export const adk: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  beside({ method, path }) {
    if (path.endsWith('/list-apps')) return { status: 200, json: [APP] };
    const isSessions = method === 'POST' && path.endsWith('/sessions');
    return isSessions ? { status: 200, json: { id: randomUUID(), appName: APP, state: {}, events: [] } } : undefined;
  },

  answerOf(body) {
    const sentText = JSON.stringify(body['newMessage'] ?? {});
    if (!sentText.includes(CONFIRMATION)) return undefined;
    return sentText.includes('"confirmed":true') ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { wire, id, answered } = exchange;
    const invocationId = `e-${randomUUID()}`;
    let author = APP;
    const send = (parts: readonly Part[], more: object = {}): Promise<boolean> => {
      const content = { role: 'model', parts };
      const actions = { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} };
      const sharedFields = { invocationId, author, actions, id: randomUUID(), timestamp: Date.now() / 1000 };
      return wire.send(sse({ ...(parts.length > 0 && { content }), ...sharedFields, ...more }));
    };
    /** The text of the model's answer so far, which its last event repeats. */
    let whole: Part[] = [];
    const emit = async (text: string, thought = false): Promise<void> => {
      const kind = thought ? { thought } : {};
      const last = whole.at(-1);
      if (last && Boolean(last['thought']) === thought)
        whole[whole.length - 1] = { ...last, text: `${String(last['text'])}${text}` };
      else whole.push({ text, ...kind });
      await send([{ text, ...kind }], { partial: true });
    };
    const end = async (parts: readonly Part[] = [], more: object = {}): Promise<void> => {
      const sent = [...whole, ...parts];
      whole = [];
      if (sent.length > 0) await send(sent, { partial: false, finishReason: 'STOP', ...more });
    };
    const call = ({ id: name, name: tool, arguments: args }: Call): Part => ({ id: id(name), name: tool, args });

    const ending = await play(exchange, {
      async think({ text }) {
        for (const chunk of chunksOf(text)) await emit(chunk, true);
      },
      text: ({ text }) => streamChunks(text, exchange, (words) => emit(words)),
      async tool(step) {
        if (!answered.has(step.id)) await end([{ functionCall: call(step) }]);
        await wire.wait(step.paces);
        const response =
          'failure' in step.outcome ? { error: step.outcome.failure.message } : { result: step.outcome.result };
        await send([{ functionResponse: { id: id(step.id), name: step.name, response } }]);
      },
      image: async ({ mimeType, data }) => {
        await end();
        await send([{ inlineData: { mimeType, data } }]);
      },
      async permission({ call: requestedCall, reason }) {
        const originalFunctionCall = call(requestedCall);
        await end([{ functionCall: originalFunctionCall }]);
        const args = { originalFunctionCall, toolConfirmation: { hint: reason, confirmed: false } };
        const confirmation = { id: `adk-${randomUUID()}`, name: CONFIRMATION, args };
        await send([{ functionCall: confirmation }], { longRunningToolIds: [confirmation.id] });
      },
      async speaker({ name }) {
        await end();
        author = name;
      },
      error: ({ message }) => wire.send(sse({ error: message })),
    });
    if (ending === 'complete') {
      const {
        prompt_tokens: promptTokenCount,
        completion_tokens: candidatesTokenCount,
        total_tokens,
      } = usageOf(exchange);
      await end([], { usageMetadata: { promptTokenCount, candidatesTokenCount, totalTokenCount: total_tokens } });
    }
    await wire.end();
  },
};
