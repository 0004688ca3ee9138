/** A conversation of ours in Node, against real servers on loopback: everything but the element. */
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { Chat } from '../../../src/runtime/chat/chat.ts';
import type { ErrorDetail } from '../../../src/runtime/chat-hooks.ts';
import { startTurn } from '../../../src/runtime/chat/run-turn.ts';
import type { ChatSettings } from '../../../src/runtime/chat-settings.ts';
import type { BlockOf } from '../../../src/model/blocks.ts';
import type { ChatMessage } from '../../../src/model/message.ts';

/** What the runtime asks of a page, and of a browser that is newer than this Node. */
function standInForPage(): void {
  const withResolvers = <T>(): PromiseWithResolvers<T> => {
    let resolve: PromiseWithResolvers<T>['resolve'] = () => undefined;
    let reject: PromiseWithResolvers<T>['reject'] = () => undefined;
    const promise = new Promise<T>((...given) => {
      [resolve, reject] = given;
    });
    return { promise, resolve, reject };
  };
  if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers });
  Object.defineProperty(globalThis, 'location', { value: new URL('http://127.0.0.1/'), configurable: true });
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
}

/** One request as it went out. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface RealChat {
  readonly chat: Chat;
  readonly errors: readonly ErrorDetail[];
  readonly states: readonly unknown[];
  /** Every request, in order. */
  readonly sent: readonly Sent[];
}

export function realChat(settings: ChatSettings): RealChat {
  standInForPage();
  const errors: ErrorDetail[] = [];
  const states: unknown[] = [];
  const sent: Sent[] = [];
  const send: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { body } = init ?? {};
    sent.push({
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    });
    return fetch(input, init);
  };
  const chat = new Chat({
    settings: () => ({ retry: 'off', fetch: send, ...settings }),
    protocols: new ProtocolRegistry(),
    loadRunner: () => Promise.resolve(startTurn),
    hooks: {
      beforeSend: () => true,
      event: () => undefined,
      message: () => undefined,
      error: (detail) => errors.push(detail),
      state: (state) => states.push(state),
      warning: () => undefined,
    },
  });
  return { chat, errors, states, sent };
}

/** A real server answers within this time, also on a busy machine. */
const PATIENCE_MS = 30_000;

/** Resolves as soon as the chat's state passes a test. @throws if that takes longer than 30 s */
export function until(chat: Chat, test: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      end();
      reject(new Error(`The chat is ${chat.status}: ${JSON.stringify(chat.messages.map(inShort))}`));
    }, PATIENCE_MS);
    const look = (): void => {
      if (!test()) return;
      clearTimeout(late);
      end();
      resolve();
    };
    const end = chat.store.subscribe(look);
    look();
  });
}

/** What the reader is asked, once they are. */
export async function asked(chat: Chat): Promise<readonly BlockOf<'action'>[]> {
  await until(chat, () => chat.status === 'awaiting-action');
  return chat.messages
    .flatMap((message) => message.blocks)
    .filter((block): block is BlockOf<'action'> => block.type === 'action' && block.status === 'pending');
}

/** Resolves as soon as a block of the conversation says exactly this. */
export const shows = (chat: Chat, text: string): Promise<void> =>
  until(chat, () => chat.messages.some((message) => inShort(message).includes(text)));

/** Resolves as soon as a server has heard of something. @throws if that takes longer than 30 s */
export async function heard(test: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!test()) {
    if (Date.now() > end) throw new Error('The server has not heard of it.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The blocks of a reply in short: words as they are, the others by their kind and what they hold. */
export const inShort = ({ blocks }: ChatMessage): readonly string[] =>
  blocks.map((block) => {
    switch (block.type) {
      case 'content':
        return block.content;
      case 'reasoning_content':
        return `thought: ${block.content}`;
      case 'tool_call': {
        const { name = '', params = '', response = '' } = block.tool_call;
        return `${block.status}: ${name}(${params}) → ${response}`;
      }
      case 'error':
        return `error: ${block.content}`;
      case 'data':
        return `data: ${JSON.stringify(block.data.data)}`;
      case 'action':
        return `${block.action_type}: ${block.status}`;
      default:
        return block.type;
    }
  });
