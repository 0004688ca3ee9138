/** The user's state in the page, and whether it is preserved. Runs in the page, once for each visit. */
import type { Page } from 'playwright-core';

/** The state of an element that the user interacts with. */
export interface ElementState {
  readonly target: string;
  /** Whether it is the same node. */
  readonly same: boolean;
  readonly open: boolean | undefined;
  readonly scrolled: readonly number[];
  readonly focused: boolean;
  readonly hovered: boolean;
  readonly playing: boolean | undefined;
}

interface UserState {
  /** Agent events that the page has received. */
  receivedEvents: number;
  /** Resolves when the received content has been rendered. */
  rendered(): Promise<void>;
  /** The target of a name: `"text"` is the text node that contains it, anything else a selector. */
  find(target: string): Node | undefined;
  /** Selects text, or everything from its beginning to the end of another text. */
  select(from: string, to?: string): void;
  /** Remembers these nodes. */
  remember(targets: readonly string[]): void;
  selected(): string;
  elementStates(): readonly ElementState[];
}

declare global {
  var userState: UserState;
}

export async function installUserState(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await customElements.whenDefined('agent-chat');
    const chat = document.querySelector('agent-chat');
    const root = chat?.shadowRoot;
    if (!chat || !root) throw new Error('There is no widget.');
    let remembered: readonly { readonly target: string; readonly node: Node }[] = [];
    globalThis.userState = {
      receivedEvents: 0,
      async rendered() {
        // One frame in which it renders, and one after it: inner elements render a moment later.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      },
      find(target) {
        const text = /^"(.*)"$/.exec(target)?.[1];
        if (text === undefined) return root.querySelector(target) ?? undefined;
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          if (node.textContent?.includes(text) && !node.parentElement?.closest('[role="status"]')) return node;
        }
        return undefined;
      },
      select(from, to = from) {
        const [start, end] = [this.find(`"${from}"`), this.find(`"${to}"`)];
        if (!start || !end) throw new Error(`There is no "${from}" or no "${to}".`);
        const last = (end.textContent?.indexOf(to) ?? 0) + to.length;
        getSelection()?.setBaseAndExtent(start, start.textContent?.indexOf(from) ?? 0, end, last);
      },
      remember(targets) {
        remembered = targets.map((target) => {
          const node = this.find(target);
          if (!node) throw new Error(`There is no ${target}.`);
          return { target, node };
        });
      },
      // (All are methods: tsx names other functions by a helper that the page does not have.)
      selected() {
        return getSelection()?.toString() ?? '';
      },
      elementStates() {
        return remembered.map(({ target, node }) => {
          const element = node instanceof HTMLElement ? node : undefined;
          return {
            target,
            same: node.isConnected && this.find(target) === node,
            open: node instanceof HTMLDetailsElement ? node.open : undefined,
            // Rounded to ten pixels: if a setting makes lines a little lower, the browser keeps the position of the
            // line, not the number.
            scrolled: element ? [element.scrollLeft, element.scrollTop].map((at) => Math.round(at / 10) * 10) : [],
            focused: root.activeElement === node,
            hovered: element?.matches(':hover') ?? false,
            playing: node instanceof HTMLMediaElement ? !node.paused : undefined,
          };
        });
      },
    };
    chat.addEventListener('agent-chat-event', () => userState.receivedEvents++);
  });
}
