/**
 * Vercel's eve: a message is posted to a session, whose events are then read as a stream. The events are stored, so a
 * stream can be read again from any of them. Source: `docs/protocols/eve.md`.
 */
import { randomUUID } from 'node:crypto';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { play, streamChunks, usageOf, type Protocol } from '../play.ts';
import { outcomeText, type Call } from '../step.ts';
import { isRecord, textOf, type Json } from '../turn.ts';

interface Session {
  /** The lines of all events so far. */
  readonly events: string[];
  /** The message or the answers that the next stream replies to. */
  waiting: Json | undefined;
}

/** Only the newest sessions are stored. */
const MOST = 200;
const sessions = new Map<string, Session>();

export const eve: Protocol = {
  contentType: 'application/x-ndjson',
  broken: '{"type": "message.appended", "data": {"mess\n',
  keepsHistory: true,

  /** A session is created or continued. */
  beside({ method, path, body }) {
    const [, given] = /\/session(?:\/([^/]+))?$/.exec(path) ?? [];
    if (method !== 'POST' || !path.includes('/session')) return undefined;
    if (given !== undefined && !sessions.has(given))
      return { status: 404, json: { ok: false, code: 'session_not_active' } };
    const sessionId = given ?? `session_${randomUUID()}`;
    const session: Session = sessions.get(sessionId) ?? { events: [], waiting: undefined };
    sessions.set(sessionId, session);
    for (const oldest of sessions.keys()) if (sessions.size > MOST) sessions.delete(oldest);
    const deliveryId = `delivery_${randomUUID()}`;
    session.waiting = { ...body, message: messageText(body['message']), sessionId, deliveryId };
    return { status: 202, json: { ok: true, sessionId, deliveryId } };
  },

  /** The stream of a session, from one of its events on. */
  bodyOf({ method, path, query }) {
    const [, sessionId = ''] = /\/session\/([^/]+)\/stream$/.exec(path) ?? [];
    const session = sessions.get(sessionId);
    if (method !== 'GET' || !session) return undefined;
    const startIndex = Number(query.get('startIndex') ?? 0);
    return { ...(session.waiting ?? { message: 'again' }), sessionId, startIndex };
  },

  answerOf({ inputResponses }) {
    const [response] = Array.isArray(inputResponses) ? (inputResponses as unknown[]) : [];
    if (!isRecord(response)) return undefined;
    return response['optionId'] === 'approve' ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { turn, id, answered } = exchange;
    const { deliveryId, sessionId, startIndex } = turn.body;
    const session = sessions.get(textOf(sessionId));
    if (!session) return exchange.wire.end();
    for (const line of session.events.slice(Number(startIndex))) await exchange.wire.send(line);
    const isNew = session.waiting !== undefined;
    session.waiting = undefined;
    if (!isNew) return exchange.wire.end();

    // The turn continues after its client has disconnected: the rest can be read later.
    const wire = { ...exchange.wire, closed: false };
    let sequence = 0;
    const send = async (type: string, data: object = {}): Promise<true> => {
      const meta = {
        at: new Date().toISOString(),
        id: `evt_${randomUUID()}`,
        ...(turn.answer === undefined && { deliveryIds: [deliveryId] }),
      };
      const line = `${JSON.stringify({ type, data: { sequence: sequence++, stepIndex: 0, ...data }, meta })}\n`;
      session.events.push(line);
      await exchange.wire.send(line);
      return true;
    };
    const sent = { text: '', reasoning: '' };
    const turnTo = oneAtATime<'text' | 'reasoning'>({
      begin: (kind) => Promise.resolve((sent[kind] = '')),
      end: (kind) =>
        kind === 'text'
          ? send('message.completed', { message: sent.text, finishReason: 'stop' })
          : send('reasoning.completed', { reasoning: sent.reasoning }),
    });
    const actionOf = ({ id: name, name: toolName, arguments: input }: Omit<Call, 'description'>): object => ({
      callId: id(name),
      kind: 'tool-call',
      toolName,
      input,
    });

    if (session.events.length === 0) await send('session.started');
    if (answered.size === 0) {
      await send('turn.started');
      await send('message.received', { message: turn.body['message'] });
    }
    const ending = await play(
      { ...exchange, wire },
      {
        async think({ text }) {
          await turnTo('reasoning');
          for (const reasoningDelta of chunksOf(text)) {
            sent.reasoning += reasoningDelta;
            await send('reasoning.appended', { reasoningDelta });
          }
        },
        text: ({ text }) =>
          streamChunks(text, { ...exchange, wire }, async (messageDelta) => {
            await turnTo('text');
            sent.text += messageDelta;
            await send('message.appended', { messageDelta });
          }),
        async tool(step) {
          await turnTo();
          const { callId, kind, ...rest } = { ...actionOf(step), callId: id(step.id), kind: 'tool-result' };
          if (!answered.has(step.id)) {
            const presentation = { [callId]: { label: step.description } };
            await send('actions.requested', { actions: [actionOf(step)], presentation });
          }
          await exchange.wire.wait(step.paces);
          const failed = 'failure' in step.outcome;
          await send('action.result', {
            result: { callId, kind, ...rest, output: outcomeText(step.outcome), ...(failed && { isError: true }) },
            status: failed ? 'failed' : 'completed',
            ...('failure' in step.outcome && { error: step.outcome.failure }),
          });
        },
        async permission({ call, reason }) {
          await turnTo();
          const request = {
            requestId: `request_${id(call.id)}`,
            kind: 'tool-approval',
            prompt: reason,
            action: actionOf(call),
            options: [
              { id: 'approve', label: 'Approve', style: 'primary' },
              { id: 'deny', label: 'Deny', style: 'danger' },
            ],
          };
          await send('input.requested', { requests: [request] });
        },
        async error({ message, code }) {
          await turnTo();
          await send('turn.failed', { message, code });
        },
      },
    );
    await turnTo();
    if (ending === 'waiting') await send('turn.waiting', { on: 'input' });
    if (ending === 'complete') {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usageOf(exchange);
      await send('step.completed', { usage: { inputTokens, outputTokens } });
      await send('turn.completed');
      await send('session.waiting', { wait: 'next-user-message' });
    }
    await exchange.wire.end();
  },
};

/** The text of a message, which has parts if there are files. */
function messageText(message: unknown): string {
  if (!Array.isArray(message)) return textOf(message);
  return (message as unknown[]).map((part) => (isRecord(part) ? textOf(part['text']) : '')).join('');
}
