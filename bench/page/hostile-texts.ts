/** Renders a hostile text in the widget and in the Markdown element, and marks the start of each of their frames. */
import type {} from '../../src/index.ts';
import type { AgentChat, ChatMessage, ConversationStore } from '../../src/index.ts';
import { hostileText, type HostileText } from '../corpora/hostile-texts.ts';
import { nextFrame, settled } from './frames.ts';
import { host } from './host.ts';

const WIDGET = '/dist/agent-chat.js';
const MARKDOWN = '/dist/markdown.js';
/** The name of a frame's mark in the trace. */
const FRAME = 'bench-frame';
/** The text is complete after this many frames without a change. */
const STILL_FRAMES = 20;
/** Time limit for the page (ms). */
const TIMEOUT_MS = 60_000;

export type Delivery =
  | 'pieces of 128'
  | 'pieces of 2 KB'
  | 'whole'
  | 'imported'
  | 'set'
  | 'restored'
  | 'reasoning'
  | 'tool';
const PIECES: Readonly<Partial<Record<Delivery, number>>> = { 'pieces of 128': 128, 'pieces of 2 KB': 2048 };

type MarkdownElement = HTMLElement & {
  text: string;
  write(delta: string): void;
  end(): Promise<void>;
};

let chat: AgentChat | undefined;
let element: MarkdownElement | undefined;
let text = '';

export async function mountWidget(name: HostileText, length: number): Promise<void> {
  text = hostileText(name, length);
  await import(/* @vite-ignore */ WIDGET);
  chat = document.createElement('agent-chat');
  chat.protocol = 'openai-chat';
  chat.style.blockSize = '100%';
  host().classList.add('of-widget');
  host().append(chat);
  chat.endpoint = new URL('/agent/openai?corpus=mixed 1 KB', location.href).href;
  await chat.send('Warm up');
  chat.clear();
  await settled();
}

export async function mountMarkdown(name: HostileText, length: number): Promise<void> {
  text = hostileText(name, length);
  await import(/* @vite-ignore */ MARKDOWN);
  element = document.createElement('agent-chat-markdown') as MarkdownElement;
  host().append(element);
  element.text = '# Warm up\n\n*a* `b` [c](https://a.example)\n\n| a |\n|---|\n| b |\n\n<p>c</p>';
  await settled();
  element.text = '';
  await settled();
}

export interface RenderResult {
  /** Whether everything was rendered within the time limit. */
  readonly isComplete: boolean;
  /** The longest wall time between two frames. */
  readonly gap: number;
  readonly milliseconds: number;
  readonly elements: number;
}

let ticking = false;

/** Marks each frame until `stop` is called. */
function tick(gaps: number[]): void {
  ticking = true;
  let before: number | undefined;
  const frame = (now: number): void => {
    performance.mark(FRAME);
    if (before !== undefined) gaps.push(now - before);
    before = now;
    if (ticking) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

async function measured(act: () => Promise<void>): Promise<RenderResult> {
  const gaps: number[] = [];
  await nextFrame();
  tick(gaps);
  const start = performance.now();
  const isLate = (): boolean => performance.now() - start > TIMEOUT_MS;
  await nextFrame();
  await Promise.race([act(), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
  await waitUntilStill(isLate);
  const milliseconds = performance.now() - start;
  await lookAround();
  ticking = false;
  await nextFrame();
  performance.clearMarks();
  return { isComplete: !isLate(), gap: Math.max(0, ...gaps), milliseconds, elements: countElements() };
}

const root = (): Node & ParentNode => chat?.shadowRoot ?? element?.shadowRoot ?? document;
const countElements = (): number => root().querySelectorAll('*').length;

/** Resolves when several frames have added nothing. */
async function waitUntilStill(isLate: () => boolean): Promise<void> {
  let changed = true;
  const observer = new MutationObserver(() => {
    changed = true;
  });
  observer.observe(root(), { childList: true, characterData: true, subtree: true });
  for (let quiet = 0; quiet < STILL_FRAMES && !isLate(); quiet++) {
    await nextFrame();
    if (changed) quiet = 0;
    changed = false;
  }
  observer.disconnect();
}

/** Scrolls through the page like a user who looks for the start. */
async function lookAround(): Promise<void> {
  // (Asking each element whether it scrolls would lay out everything that the browser skips.)
  const scroller = element ? host() : root().querySelector('agent-chat-message-list');
  if (!scroller) return;
  for (const share of [1, 0.5, 0])
    for (let frame = 0; frame < 3; frame++) {
      scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * share;
      await nextFrame();
    }
}

/** In chunks, each in its own task, as a network delivers them. */
async function inChunks(size: number, take: (chunk: string) => void): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  for (let start = 0; start < text.length; start += size) {
    take(text.slice(start, start + size));
    await new Promise<unknown>((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(undefined);
    });
  }
  port1.close();
}

export async function idle(): Promise<RenderResult> {
  return measured(() => new Promise((resolve) => setTimeout(resolve, 1000)));
}

export async function showMarkdown(delivery: Delivery): Promise<RenderResult> {
  const place = element;
  if (!place) throw new Error('There is no element.');
  return measured(async () => {
    const size = PIECES[delivery];
    if (size === undefined) place.text = text;
    else
      await inChunks(size, (chunk) => {
        place.write(chunk);
      });
    await place.end();
  });
}

const replied = (block: object): ChatMessage[] =>
  [
    { role: 'user', text: 'Everything, please' },
    { id: 'm1', role: 'assistant', status: 'complete', blocks: [{ id: 'b1', status: 'success', ...block }] },
  ] as unknown as ChatMessage[];

export async function showInWidget(delivery: Delivery, name: HostileText): Promise<RenderResult> {
  const widget = chat;
  if (!widget) throw new Error('There is no widget.');
  const blocks: Readonly<Partial<Record<Delivery, object>>> = {
    reasoning: { type: 'reasoning', content: text },
    tool: {
      type: 'tool_call',
      tool_call: { id: 't1', name: 'read', arguments: { text: text.slice(0, text.length / 2) }, result: text },
    },
  };
  const block = blocks[delivery] ?? { type: 'content', content: text };
  if (delivery === 'reasoning') widget.showReasoning = 'open';
  if (delivery === 'tool') widget.showTools = 'open';
  const exported = delivery === 'imported' ? await exportedFrom(replied(block)) : '';
  if (delivery === 'restored') {
    widget.persist = 'local';
    widget.storage = { store: storeWith(replied(block)) };
  }
  const size = PIECES[delivery];
  return measured(async () => {
    if (size !== undefined) {
      const query = new URLSearchParams({ name, size: String(size), length: String(text.length) });
      widget.endpoint = new URL(`/agent/hostile-text?${query.toString()}`, location.href).href;
      await widget.send('Everything, please');
    } else if (delivery === 'imported') await widget.importConversation(exported, 'json');
    else if (delivery === 'restored') await widget.openThread('t1');
    else widget.messages = replied(block);
    if (!widget.messages.length) throw new Error(`Nothing is shown: ${delivery}.`);
  });
}

async function exportedFrom(messages: ChatMessage[]): Promise<string> {
  const other = document.createElement('agent-chat');
  other.messages = messages;
  return other.exportConversation('json');
}

/** A store with a single conversation. */
function storeWith(messages: readonly ChatMessage[]): ConversationStore {
  const now = Date.now();
  const linked = messages.map((message, index) => ({
    ...message,
    id: `m${String(index)}`,
    ...(index && { parentId: `m${String(index - 1)}` }),
  }));
  const thread = {
    version: 1,
    id: 't1',
    title: 'One',
    updated: now,
    messages: linked,
    leaf: 'm1',
  } as const;
  return {
    list: () => [thread],
    load: () => thread,
    save: () => undefined,
    rename: () => undefined,
    remove: () => undefined,
  };
}
