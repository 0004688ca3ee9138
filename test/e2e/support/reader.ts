/** A user's state in the page, and whether it is preserved. Runs in the page, once for each visit. */
import type { Page } from 'playwright-core';

/** The state of an element that the user interacts with. */
export interface Standing {
  readonly what: string;
  /** Whether it is the same node. */
  readonly same: boolean;
  readonly open: boolean | undefined;
  readonly scrolled: readonly number[];
  readonly focused: boolean;
  readonly hovered: boolean;
  readonly playing: boolean | undefined;
}

interface Reader {
  /** Agent events that the page has received. */
  heard: number;
  /** Resolves when the received content has been rendered. */
  drawn(): Promise<void>;
  /** The target of a name: `"text"` is the text node that contains it, anything else a selector. */
  find(what: string): Node | undefined;
  /** Selects text, or everything from its beginning to the end of another text. */
  select(from: string, to?: string): void;
  /** Remembers these nodes. */
  hold(things: readonly string[]): void;
  selected(): string;
  standing(): readonly Standing[];
}

declare global {
  var reader: Reader;
}

export async function comeAsReader(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await customElements.whenDefined('agent-chat');
    const chat = document.querySelector('agent-chat');
    const root = chat?.shadowRoot;
    if (!chat || !root) throw new Error('There is no widget.');
    let held: readonly { readonly what: string; readonly node: Node }[] = [];
    globalThis.reader = {
      heard: 0,
      async drawn() {
        // One frame in which it renders, and one after it: inner elements render a moment later.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      },
      find(what) {
        const words = /^"(.*)"$/.exec(what)?.[1];
        if (words === undefined) return root.querySelector(what) ?? undefined;
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          if (node.textContent?.includes(words) && !node.parentElement?.closest('[role="status"]')) return node;
        }
        return undefined;
      },
      select(from, to = from) {
        const [start, end] = [this.find(`"${from}"`), this.find(`"${to}"`)];
        if (!start || !end) throw new Error(`There is no "${from}" or no "${to}".`);
        const last = (end.textContent?.indexOf(to) ?? 0) + to.length;
        getSelection()?.setBaseAndExtent(start, start.textContent?.indexOf(from) ?? 0, end, last);
      },
      hold(things) {
        held = things.map((what) => {
          const node = this.find(what);
          if (!node) throw new Error(`There is no ${what}.`);
          return { what, node };
        });
      },
      // (All are methods: tsx names other functions by a helper that the page does not have.)
      selected() {
        return getSelection()?.toString() ?? '';
      },
      standing() {
        return held.map(({ what, node }) => {
          const element = node instanceof HTMLElement ? node : undefined;
          return {
            what,
            same: node.isConnected && this.find(what) === node,
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
    chat.addEventListener('agent-chat-event', () => reader.heard++);
  });
}
