import { fixture, html, waitUntil } from '@open-wc/testing';
import { define, type AgentChat } from '../../../src/define.ts';
// The lazy modules are loaded immediately. Lazy loading is tested end to end.
import '../../../src/components/conversation-chunk.ts';
import { loadVirtualWindow } from '../../../src/components/transcript/message-list-view.ts';
import { defineOnce } from '../../../src/primitives/define-once.ts';
import { AgentChatImage } from '../../../src/primitives/media/image.ts';
import { ScriptedAgent } from './agent.ts';

define();
await loadVirtualWindow();
defineOnce('agent-chat-image', AgentChatImage);

export interface Mounted {
  readonly chat: AgentChat;
  readonly agent: ScriptedAgent;
}

/** Mounts a widget with an agent under the test's control. */
export async function mount(settings: Partial<AgentChat> = {}): Promise<Mounted> {
  const agent = new ScriptedAgent();
  const chat = await fixture<AgentChat>(html`<agent-chat lang="en"></agent-chat>`);
  Object.assign(chat, { endpoint: '/agent', protocol: 'agent-session', fetch: agent.fetch, retry: 'off', ...settings });
  await chat.updateComplete;
  return { chat, agent };
}

/** Waits for an element inside the widget. */
export async function inside<Kind extends Element = HTMLElement>(chat: AgentChat, selector: string): Promise<Kind> {
  await waitUntil(() => chat.renderRoot.querySelector(selector) !== null, `${selector} comes`, { timeout: 10_000 });
  return find(chat, selector);
}

/** An element that must exist now. */
export function find<Kind extends Element = HTMLElement>(chat: AgentChat, selector: string): Kind {
  const element = chat.renderRoot.querySelector<Kind>(selector);
  if (!element) throw new Error(`There is no ${selector}.`);
  return element;
}

export const has = (chat: AgentChat, selector: string): boolean => chat.renderRoot.querySelector(selector) !== null;

/** The text of the transcript, with one blank between words. */
export const wordsOf = (chat: AgentChat): string =>
  find(chat, '[part="transcript"]').textContent.replace(/\s+/g, ' ').trim();

export const button = (chat: AgentChat, label: string): HTMLButtonElement =>
  find<HTMLButtonElement>(chat, `button[aria-label="${label}"]`);

/** Enters text in the composer as a user does. */
export function type(chat: AgentChat, text: string): HTMLTextAreaElement {
  const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return input;
}

/** Moves the widget into the document of an iframe and back. */
export async function moveThroughFrame(chat: AgentChat): Promise<void> {
  const parent = chat.parentElement;
  const iframe = document.createElement('iframe');
  parent?.append(iframe);
  iframe.contentDocument?.body.append(chat);
  await chat.updateComplete;
  parent?.append(chat);
  await chat.updateComplete;
  iframe.remove();
}

/** Resolves with the next event of this name. */
export const next = <Name extends keyof HTMLElementEventMap>(
  target: EventTarget,
  name: Name,
): Promise<HTMLElementEventMap[Name]> =>
  new Promise((resolve) => {
    target.addEventListener(
      name,
      (event) => {
        resolve(event as HTMLElementEventMap[Name]);
      },
      { once: true },
    );
  });

/** The console warnings during an action. */
export async function warningsOf(act: () => unknown): Promise<readonly string[]> {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (...words: readonly unknown[]) => warnings.push(words.map(String).join(' '));
  try {
    await act();
  } finally {
    console.warn = warn;
  }
  return warnings;
}
