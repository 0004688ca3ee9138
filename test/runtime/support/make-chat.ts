import type { LLMAgentEvent } from '../../../src/model/agent-events.ts';
import type { BlockOf } from '../../../src/model/blocks.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { Warning } from '../../../src/protocols/adapter.ts';
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { Chat } from '../../../src/runtime/chat.ts';
import type { ChatHooks, ErrorDetail } from '../../../src/runtime/hooks.ts';
import { startJob } from '../../../src/runtime/job.ts';
import type { ChatSettings } from '../../../src/runtime/settings.ts';
import type { ChatOptions } from '../../../src/runtime/turns.ts';
import { ScriptedServer, type Answerer } from './scripted-server.ts';

/** What the page of a chat is told, in order. */
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
  options: Partial<Pick<ChatOptions, 'loadRunner' | 'protocols'>> & {
    readonly keepsBack?: boolean;
    readonly trace?: NonNullable<ChatHooks['trace']>;
    /** A page that does something when it is told. */
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
    loadRunner: options.loadRunner ?? (() => Promise.resolve(startJob)),
    hooks: {
      beforeSend: () => options.keepsBack !== true,
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

/** Each change of something in the chat, in order. */
export function changesOf<T>(chat: Chat, read: (chat: Chat) => T): readonly T[] {
  const seen = [read(chat)];
  chat.store.subscribe(() => {
    const value = read(chat);
    if (value !== seen.at(-1)) seen.push(value);
  });
  return seen;
}

/** The words of a message, its errors by their reason. */
export const wordsOf = ({ blocks }: ChatMessage): readonly string[] =>
  blocks.map((block) => {
    if (block.type === 'content') return block.content;
    const reason = block.extra?.['reason'];
    if (block.type === 'error') return `error: ${typeof reason === 'string' ? reason : block.content}`;
    return block.type;
  });

/** The conversation in short: each message as its role, its status and its words. */
export const lines = (chat: Chat): readonly string[] =>
  chat.messages.map((message) => `${message.role} ${message.status}: ${wordsOf(message).join(' | ')}`);

/** What the reader is asked now. */
export function pending(chat: Chat): BlockOf<'action'> {
  const block = chat.messages
    .flatMap((message) => message.blocks)
    .find((candidate) => candidate.type === 'action' && candidate.status === 'pending');
  if (block?.type !== 'action') throw new Error('Nothing is asked.');
  return block;
}

export const isAsking = (chat: Chat): boolean => chat.status === 'awaiting-action';
