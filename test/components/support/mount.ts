import { fixture, html, waitUntil } from '@open-wc/testing';
import { define, type AgentChat } from '../../../src/define.ts';
// The lazy parts at once: how they come is for the end-to-end tests.
import '../../../src/components/parts.ts';
import { ScriptedAgent } from './agent.ts';

define();

export interface Mounted {
  readonly chat: AgentChat;
  readonly agent: ScriptedAgent;
}

/** A widget on the page, with an agent in the test's hands. */
export async function mount(settings: Partial<AgentChat> = {}): Promise<Mounted> {
  const agent = new ScriptedAgent();
  const chat = await fixture<AgentChat>(html`<agent-chat lang="en"></agent-chat>`);
  Object.assign(chat, { endpoint: '/agent', protocol: 'agent-session', fetch: agent.fetch, retry: 'off', ...settings });
  await chat.updateComplete;
  return { chat, agent };
}

/** An element inside the widget, as soon as it is there. */
export async function inside<Kind extends Element = HTMLElement>(chat: AgentChat, selector: string): Promise<Kind> {
  await waitUntil(() => chat.renderRoot.querySelector(selector) !== null, `${selector} comes`, { timeout: 10_000 });
  return find(chat, selector);
}

/** An element that must be there now. */
export function find<Kind extends Element = HTMLElement>(chat: AgentChat, selector: string): Kind {
  const found = chat.renderRoot.querySelector<Kind>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
}

export const has = (chat: AgentChat, selector: string): boolean => chat.renderRoot.querySelector(selector) !== null;

/** The words of the transcript as they stand, one blank between two. */
export const wordsOf = (chat: AgentChat): string =>
  find(chat, '[part="transcript"]').textContent.replace(/\s+/g, ' ').trim();

export const button = (chat: AgentChat, label: string): HTMLButtonElement =>
  find<HTMLButtonElement>(chat, `button[aria-label="${label}"]`);

/** Writes into the composer as a reader does. */
export function type(chat: AgentChat, text: string): HTMLTextAreaElement {
  const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return input;
}

/** Resolves with the next event of a name. */
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

/** What is said on the console while something is done. */
export async function warningsOf(act: () => unknown): Promise<readonly string[]> {
  const said: string[] = [];
  const { warn } = console;
  console.warn = (...words: readonly unknown[]) => said.push(words.map(String).join(' '));
  try {
    await act();
  } finally {
    console.warn = warn;
  }
  return said;
}
