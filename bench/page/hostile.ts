/** A widget with a malicious agent. */
import type {} from '../../src/index.ts';
import type { AgentChat } from '../../src/index.ts';
import { settled } from './frames.ts';
import { host } from './host.ts';

const BUILT = '/dist/agent-chat.js';
let chat: AgentChat | undefined;

/** A widget that has answered once, so that everything is loaded. */
export async function mount(): Promise<void> {
  await import(/* @vite-ignore */ BUILT);
  chat = document.createElement('agent-chat');
  chat.protocol = 'openai-chat';
  chat.style.blockSize = '100%';
  host().classList.add('of-widget');
  host().append(chat);
  await ask('/agent/openai?corpus=mixed 1 KB');
  chat.clear();
  await settled();
}

export interface ReplyResult {
  readonly milliseconds: number;
  readonly status: string;
  /** The error at the end of the reply. */
  readonly error: string;
}

let text = '';
/**
 * The text of the last reply. Read it after the measurement, because the transfer of megabytes takes longer than a
 * frame.
 */
export const replyText = (): string => text;

export async function ask(address: string): Promise<ReplyResult> {
  if (!chat) throw new Error('There is no widget.');
  chat.endpoint = new URL(address, location.href).href;
  const start = performance.now();
  const { status, blocks } = await chat.send('Everything, please');
  const milliseconds = performance.now() - start;
  text = blocks.flatMap((block) => (block.type === 'content' ? [block.content] : [])).join('');
  const error = blocks.flatMap((block) =>
    block.type === 'error' ? [JSON.stringify(block.extra?.['reason'] ?? '').slice(1, -1)] : [],
  );
  return { milliseconds, status, error: error.join() };
}
