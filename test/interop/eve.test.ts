/**
 * Conversations with Vercel's eve, by streams recorded from its own server: `eve` 0.80.1 on Node 24 with a scripted model,
 * 2026-11-29. eve does not run on Node 20, so its answers are played here, in every cut, through the real chat.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseJson } from '../../src/model/json.ts';
import { chunksOf, cutsOf } from '../support/cuts.ts';
import { inShort, pendingActions, realChat, shows, until, type RealChat } from './support/real-chat.ts';

const recording = (name: string): Uint8Array =>
  readFileSync(new URL(`../protocols/eve/${name}.ndjson`, import.meta.url));

/** The id of the last message in a stream, which the server also returns for the message. */
const deliveryOf = (body: Uint8Array): unknown =>
  [...new TextDecoder().decode(body).matchAll(/"deliveryIds":\["([^"]+)"\]/g)].at(-1)?.[1];

/** The name of a recording, or a body whose connection stays open. */
type Streams = readonly (string | { readonly open: Uint8Array })[];

interface Eve {
  readonly fetch: typeof fetch;
  /** The requests, in order, without the id of the session. */
  readonly requests: readonly (readonly [request: string, body?: unknown])[];
  /** Breaks the open connections. */
  cut(): void;
}

const HEALTH = { ok: true, status: 'ready', workflowId: 'workflow//eve//workflowEntry' };

/** Answers as eve: posts with the ids of the session and the message, reads with the next of these streams. */
function eveServer(streams: Streams, cut: number): Eve {
  const waiting = streams.map((stream) => (typeof stream === 'string' ? { body: recording(stream) } : stream));
  const requests: [string, unknown?][] = [];
  const open: ReadableStreamDefaultController<Uint8Array>[] = [];
  const streamOf = (body: Uint8Array, stays: boolean): ReadableStream<Uint8Array> =>
    new ReadableStream({
      async start(controller) {
        for await (const chunk of chunksOf(cutsOf(body)[cut]?.chunks ?? [])) controller.enqueue(chunk);
        if (stays) open.push(controller);
        else controller.close();
      },
    });
  return {
    requests,
    fetch: (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const { method = 'GET', body } = init ?? {};
      if (pathname === '/eve/v1/health') return Promise.resolve(Response.json(HEALTH));
      if (!pathname.startsWith('/eve/v1/session')) {
        const error = { message: `Cannot find any route matching [${method}] ${pathname}` };
        return Promise.resolve(Response.json(error, { status: 404 }));
      }
      const path = `${method} ${pathname.replace('/eve/v1/session', '')}${search}`;
      requests.push(typeof body === 'string' ? [path, parseJson(body)] : [path]);
      const [next] = waiting;
      const bytes = next && ('open' in next ? next.open : next.body);
      if (method === 'POST' || !bytes) {
        const deliveryId = bytes && deliveryOf(bytes);
        return Promise.resolve(Response.json({ ok: true, sessionId: 's', status: 'accepted', deliveryId }));
      }
      waiting.shift();
      const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
      return Promise.resolve(new Response(streamOf(bytes, 'open' in next), { headers }));
    },
    cut() {
      for (const controller of open) controller.error(new TypeError('network error'));
    },
  };
}

/** The lines of a recording up to the first with a text, and the lines after it. */
function split(name: string, text: string): readonly [before: Uint8Array, after: Uint8Array] {
  const body = Buffer.from(recording(name));
  const end = body.indexOf('\n', body.indexOf(text)) + 1;
  return [body.subarray(0, end), body.subarray(end)];
}

const blocksOf = ({ chat }: RealChat): readonly (readonly string[])[] =>
  chat.messages.filter(({ role }) => role === 'assistant').map((reply) => [reply.status, ...inShort(reply)]);

const CUTS = cutsOf('x').map(({ name }, index) => [name, index] as const);

for (const [address, protocol] of [
  ['/eve/v1/session', 'auto'],
  ['/eve/v1', 'auto'],
  ['/', 'auto'],
  ['/', 'eve'],
] as const)
  for (const [cutName, cut] of CUTS)
    describe(`eve at ${address} with protocol="${protocol}", cut ${cutName}`, () => {
      const play = (...streams: Streams) => {
        const server = eveServer(streams, cut);
        const settings = { endpoint: `http://127.0.0.1:2000${address}`, protocol, fetch: server.fetch };
        return { ...realChat(settings), ...server, again: () => realChat(settings) };
      };
      /** Sends a message, answers the question of the reply, and resolves when the agent has continued. */
      async function answerQuestion({ chat }: RealChat, decision: 'granted' | 'denied' | 'answered', payload?: string) {
        const sending = chat.send('Do it');
        const [question] = await pendingActions(chat);
        await chat.respond(question?.id ?? '', decision, { payload });
        await sending;
        await until(chat, () => chat.status === 'idle');
      }
      const beginning = { open: split('reply', '"Hello "')[0] };

      it('answers, and its next turn is in the same session', async () => {
        const made = play('reply', 'next-turn');
        await made.chat.send('Hi');
        await made.chat.send('Sure?');
        assert.deepEqual(blocksOf(made), [
          ['complete', 'Hello 👋 “you”.'],
          ['complete', 'Yes: 3 texts before.'],
        ]);
        assert.deepEqual(made.requests, [
          ['POST ', { message: 'Hi' }],
          ['GET /s/stream?startIndex=0'],
          ['POST /s', { message: 'Sure?' }],
          ['GET /s/stream?startIndex=10'],
        ]);
        assert.deepEqual(made.errors, []);
      });

      it('runs its tools, also one that fails', async () => {
        const made = play('tool', 'tool-fails');
        await made.chat.send('Where is it?');
        await made.chat.send('Break it');
        assert.deepEqual(blocksOf(made), [
          [
            'complete',
            'thought: I look it up.',
            'success: find_order({"order":"A-1"}) → {"order":"A-1","state":"shipped"}',
            'The tool says {"order":"A-1","state":"shipped"} — “done”.',
          ],
          [
            'complete',
            'error: find_order({"order":"none"}) → No such order.',
            'The tool says "Error: No such order." — “done”.',
          ],
        ]);
        assert.deepEqual(made.errors, []);
      });

      it('asks for permission, which is granted', async () => {
        const made = play('approval', 'approval-granted');
        await answerQuestion(made, 'granted');
        assert.deepEqual(blocksOf(made), [
          [
            'complete',
            'success: cancel_order({"order":"A-1"}) → {"cancelled":"A-1"}',
            'tool_call_permission: granted',
            'The tool says {"cancelled":"A-1"} — “done”.',
          ],
        ]);
        assert.deepEqual(made.requests.slice(2), [
          ['POST /s', { inputResponses: [{ requestId: 'aitxt-U7Patz090pTUQnt6w29ihRsg', optionId: 'approve' }] }],
          ['GET /s/stream?startIndex=10'],
        ]);
        assert.deepEqual(made.errors, []);
      });

      it('asks for permission, which is denied', async () => {
        const made = play('approval', 'approval-denied');
        await answerQuestion(made, 'denied');
        const [[status, call, answer] = []] = blocksOf(made);
        assert.deepEqual(
          [status, call, answer],
          [
            'complete',
            'error: cancel_order({"order":"A-1"}) → Tool execution was denied.',
            'tool_call_permission: denied',
          ],
        );
        assert.deepEqual(made.requests[2], [
          'POST /s',
          { inputResponses: [{ requestId: 'aitxt-U7Patz090pTUQnt6w29ihRsg', optionId: 'cancel' }] },
        ]);
        assert.deepEqual(made.errors, []);
      });

      it('asks a question, which the user answers', async () => {
        const made = play('question', 'question-answered');
        await answerQuestion(made, 'answered', 'red');
        assert.deepEqual(blocksOf(made)[0]?.slice(2), [
          'question: granted',
          'The tool says {"answer":"red","status":"answered"} — “done”.',
        ]);
        assert.deepEqual(made.errors, []);
      });

      it('is stopped, and answers the next turn without the rest of the stopped one', async () => {
        const [before, after] = split('stopped-then-next', '"word1 "');
        const made = play({ open: before }, { open: after });
        const sending = made.chat.send('Tell');
        await shows(made.chat, 'word0 word1 ');
        made.chat.stop();
        await sending;
        await made.chat.send('Sure?');
        assert.deepEqual(blocksOf(made), [
          ['cancelled', 'word0 word1 '],
          ['complete', 'Yes: 2 texts before.'],
        ]);
        assert.deepEqual(made.requests.slice(2), [
          ['POST /s/cancel', {}],
          ['POST /s', { message: 'Sure?' }],
          ['GET /s/stream?startIndex=6'],
        ]);
        assert.deepEqual(made.errors, []);
      });

      it('reports an error of the model', async () => {
        const made = play('model-fails');
        await made.chat.send('Fail');
        assert.deepEqual(blocksOf(made), [['error', 'error: The model is overloaded.']]);
        assert.deepEqual(
          made.errors.map(({ code }) => code),
          ['MODEL_CALL_FAILED'],
        );
      });

      it('continues the same message when its connection breaks', async () => {
        const made = play(beginning, 'reply');
        const sending = made.chat.send('Hi');
        await shows(made.chat, 'Hello ');
        made.cut();
        await until(made.chat, () => made.chat.status === 'reconnecting');
        made.chat.store.state.wait?.now();
        await sending;
        assert.deepEqual(blocksOf(made), [['complete', 'Hello 👋 “you”.']]);
        assert.deepEqual(made.errors, []);
      });

      it('continues the same message in a page that was reloaded', async () => {
        const made = play(beginning, 'reply');
        void made.chat.send('Hi');
        await shows(made.chat, 'Hello ');
        made.chat.interrupt();
        const again = made.again();
        again.chat.messages = made.chat.messages;
        await again.chat.resume();
        assert.deepEqual(blocksOf(again), [['complete', 'Hello 👋 “you”.']]);
        assert.deepEqual(again.errors, []);
      });

      it('continues after an answer in a page that was reloaded', async () => {
        const granted = { open: split('approval-granted', '"The tool "')[0] };
        const made = play('approval', granted, 'approval-granted');
        void made.chat.send('Do it');
        const [question] = await pendingActions(made.chat);
        void made.chat.respond(question?.id ?? '', 'granted');
        await shows(made.chat, 'The tool ');
        made.chat.interrupt();
        const again = made.again();
        again.chat.messages = made.chat.messages;
        await again.chat.resume();
        assert.deepEqual(blocksOf(again), [
          [
            'complete',
            'success: cancel_order({"order":"A-1"}) → {"cancelled":"A-1"}',
            'tool_call_permission: granted',
            'The tool says {"cancelled":"A-1"} — “done”.',
          ],
        ]);
        assert.deepEqual(again.errors, []);
      });
    });
