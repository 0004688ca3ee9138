/** Plays a recording through the widget's runtime, from the request to the stored messages, without an element. */
import type { ChatMessage } from '../src/model/message.ts';
import { ProtocolRegistry } from '../src/protocols/registry.ts';
import { Chat } from '../src/runtime/chat/chat.ts';
import { startTurn } from '../src/runtime/chat/run-turn.ts';
import { cutAt } from '../test/support/cuts.ts';
import type { Random } from '../fuzz/random.ts';
import type { Recording } from './recording.ts';

/** The runtime reads the address of the page and whether the browser is online. */
Object.assign(globalThis, { location: new URL('https://page.example/') });
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { onLine: true } });

const registry = new ProtocolRegistry();

/** Longest distance between two cuts. */
const LONGEST = 400;

export interface Played {
  readonly messages: readonly ChatMessage[];
  /** Id of the protocol that read the stream. */
  readonly protocol: string;
}

/** The body in pieces of random length; without `random` in one piece. */
function cut(body: Uint8Array, random: Random | undefined): readonly Uint8Array[] {
  if (!random) return [body];
  const places: number[] = [];
  const longest = 1 + random.below(LONGEST);
  for (let place = 1 + random.below(longest); place < body.length; place += 1 + random.below(longest))
    places.push(place);
  return cutAt(body, places);
}

export interface Endpoint {
  readonly url: URL;
  /** An id, or `auto` for detection. */
  readonly protocol: string;
}

export async function play(
  { contentType, body }: Recording,
  { url, protocol }: Endpoint,
  random?: Random,
): Promise<Played> {
  const pieces = cut(body, random);
  const chat = new Chat({
    settings: () => ({
      endpoint: url.href,
      protocol,
      retry: 'off',
      fetch: () => Promise.resolve(respond(pieces, contentType)),
    }),
    protocols: registry,
    prepareTurn: () => Promise.resolve(startTurn),
    hooks: {
      beforeSend: () => true,
      event: () => undefined,
      message: () => undefined,
      error: () => undefined,
      state: () => undefined,
      warning: () => undefined,
    },
  });
  await Promise.race([chat.send({ text: 'Hello' }), question(chat)]);
  return {
    messages: chat.messages.filter(({ role }) => role === 'assistant'),
    protocol: chat.store.state.protocol ?? protocol,
  };
}

/** Resolves when the agent waits for the user, and the reply does not end. */
const question = (chat: Chat): Promise<void> =>
  new Promise((resolve) => {
    const end = chat.store.subscribe(() => {
      if (chat.status !== 'awaiting-action') return;
      end();
      resolve();
    });
  });

function respond(pieces: readonly Uint8Array[], contentType: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, { headers: contentType === '' ? {} : { 'content-type': contentType } });
}
