import type { LLMAgentEvent } from '../../../src/model/events/agent-events.ts';
import type { BlockOf } from '../../../src/model/blocks.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { Warning } from '../../../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { Chat } from '../../../src/runtime/chat/chat.ts';
import type { ChatHooks } from '../../../src/runtime/chat-hooks.ts';
import type { ErrorDetail } from '../../../src/runtime/error-detail.ts';
import type { Guards } from '../../../src/runtime/chat/send-guards.ts';
import { startTurn } from '../../../src/runtime/chat/run-turn.ts';
import type { ChatSettings } from '../../../src/runtime/chat-settings.ts';
import type { ChatOptions } from '../../../src/runtime/chat/turn-controller.ts';
import { ScriptedServer, type Answerer } from './scripted-server.ts';

/** The events of a chat, in order. */
interface Told {
  readonly events: LLMAgentEvent[];
  readonly messages: ChatMessage[];
  readonly errors: ErrorDetail[];
  readonly warnings: Warning[];
  readonly states: unknown[];
}

export interface Made {
  readonly chat: Chat;
  readonly server: ScriptedServer;
  readonly told: Told;
  /** Changes settings, as a page does. */
  set(change: ChatSettings): void;
}

/** A chat without an element, with a server that follows a script. */
export function makeChat(
  script: readonly Answerer[],
  settings: ChatSettings = {},
  options: Partial<Pick<ChatOptions, 'prepareTurn' | 'protocols'>> & {
    readonly keepsBack?: boolean;
    /** Called before a message is sent. */
    readonly beforeSend?: () => void;
    readonly trace?: NonNullable<ChatHooks['trace']>;
    readonly guards?: Guards;
    /** A page that runs code in a listener. */
    readonly listener?: (chat: Chat, heard: LLMAgentEvent | ChatMessage) => void;
  } = {},
): Made {
  const server = new ScriptedServer(...script);
  const told: Told = { events: [], messages: [], errors: [], warnings: [], states: [] };
  let current: ChatSettings = {
    endpoint: '/agent',
    protocol: 'agent-session',
    retry: 'off',
    fetch: server.fetch,
    ...settings,
  };
  const chat: Chat = new Chat({
    settings: () => current,
    protocols: options.protocols ?? new ProtocolRegistry(),
    ...(options.guards && { guards: options.guards }),
    prepareTurn: options.prepareTurn ?? (() => Promise.resolve(startTurn)),
    hooks: {
      beforeSend: () => {
        options.beforeSend?.();
        return options.keepsBack !== true;
      },
      event: (event) => {
        told.events.push(event);
        options.listener?.(chat, event);
      },
      message: (message) => {
        told.messages.push(message);
        options.listener?.(chat, message);
      },
      error: (detail) => told.errors.push(detail),
      state: (state) => told.states.push(state),
      warning: (warning) => told.warnings.push(warning),
      ...(options.trace && { trace: options.trace }),
    },
  });
  return {
    chat,
    server,
    told,
    set(change) {
      current = { ...current, ...change };
    },
  };
}

/** Resolves as soon as the chat's state passes a test. */
export function until(chat: Chat, test: (chat: Chat) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!test(chat)) return;
      end();
      resolve();
    };
    const end = chat.store.subscribe(look);
    look();
  });
}

/** Each value of a part of the chat's state, in order. */
export function changesOf<T>(chat: Chat, read: (chat: Chat) => T): readonly T[] {
  const seen = [read(chat)];
  chat.store.subscribe(() => {
    const value = read(chat);
    if (value !== seen.at(-1)) seen.push(value);
  });
  return seen;
}

/** The text of a message, with its errors as their reason. */
export const wordsOf = ({ blocks }: ChatMessage): readonly string[] =>
  blocks.map((block) => {
    if (block.type === 'content') return block.content;
    const reason = block.extra?.['reason'];
    if (block.type === 'error') return `error: ${typeof reason === 'string' ? reason : block.content}`;
    return block.type;
  });

/** The conversation in short: the role, status and text of each message. */
export const lines = (chat: Chat): readonly string[] =>
  chat.messages.map((message) => `${message.role} ${message.status}: ${wordsOf(message).join(' | ')}`);

/** The open requests. */
export function pending(chat: Chat): BlockOf<'action'> {
  const block = chat.messages
    .flatMap((message) => message.blocks)
    .find((candidate) => candidate.type === 'action' && candidate.status === 'pending');
  if (block?.type !== 'action') throw new Error('Nothing is asked.');
  return block;
}

export const isAsking = (chat: Chat): boolean => chat.status === 'awaiting-action';
