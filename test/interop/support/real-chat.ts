/** Our chat in Node with real servers on loopback: everything except the element. */
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { Chat } from '../../../src/runtime/chat/chat.ts';
import type { ErrorDetail } from '../../../src/runtime/error-detail.ts';
import { startTurn } from '../../../src/runtime/chat/run-turn.ts';
import type { ChatSettings } from '../../../src/runtime/chat-settings.ts';
import type { BlockOf } from '../../../src/model/blocks.ts';
import type { ChatMessage } from '../../../src/model/message.ts';

/** Polyfills for the page and the newer browser that the runtime expects. */
function polyfillPage(): void {
  const withResolvers = <T>(): PromiseWithResolvers<T> => {
    let resolve: PromiseWithResolvers<T>['resolve'] = () => undefined;
    let reject: PromiseWithResolvers<T>['reject'] = () => undefined;
    const promise = new Promise<T>((...callbacks) => {
      [resolve, reject] = callbacks;
    });
    return { promise, resolve, reject };
  };
  if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers });
  Object.defineProperty(globalThis, 'location', { value: new URL('http://127.0.0.1/'), configurable: true });
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
}

/** One request as it was sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface RealChat {
  readonly chat: Chat;
  readonly errors: readonly ErrorDetail[];
  readonly states: readonly unknown[];
  /** Every request, in order. */
  readonly sent: readonly SentRequest[];
}

export function realChat(settings: ChatSettings): RealChat {
  polyfillPage();
  const errors: ErrorDetail[] = [];
  const states: unknown[] = [];
  const sent: SentRequest[] = [];
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
    prepareTurn: () => Promise.resolve(startTurn),
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
const TIMEOUT_MS = 30_000;

/** Resolves as soon as the chat's state passes a test. @throws if that takes longer than 30 s */
export function until(chat: Chat, test: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Error(`The chat is ${chat.status}: ${JSON.stringify(chat.messages.map(inShort))}`));
    }, TIMEOUT_MS);
    const check = (): void => {
      if (!test()) return;
      clearTimeout(timer);
      end();
      resolve();
    };
    const end = chat.store.subscribe(check);
    check();
  });
}

/** Resolves with the pending actions as soon as the user has to answer. */
export async function pendingActions(chat: Chat): Promise<readonly BlockOf<'action'>[]> {
  await until(chat, () => chat.status === 'awaiting-action');
  return chat.messages
    .flatMap((message) => message.blocks)
    .filter((block): block is BlockOf<'action'> => block.type === 'action' && block.status === 'pending');
}

/** Resolves as soon as a block of the conversation has exactly this text. */
export const shows = (chat: Chat, text: string): Promise<void> =>
  until(chat, () => chat.messages.some((message) => inShort(message).includes(text)));

/** Resolves as soon as a server has received something. @throws if that takes longer than 30 s */
export async function received(test: () => boolean): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!test()) {
    if (Date.now() > end) throw new Error('The server has not heard of it.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Short forms of a reply's blocks: content as its text, others as their type and their content. */
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
