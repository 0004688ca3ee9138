/** A reader in the page: what they hold on to, and whether they still have it. Runs in the page, once for each visit. */
import type { Page } from 'playwright-core';

/** How something stands that a reader has to do with. */
export interface Standing {
  readonly what: string;
  /** It is the node that it was. */
  readonly same: boolean;
  readonly open: boolean | undefined;
  readonly scrolled: readonly number[];
  readonly focused: boolean;
  readonly hovered: boolean;
  readonly playing: boolean | undefined;
}

interface Reader {
  /** Events of the agent's that the page has heard. */
  heard: number;
  /** Resolves when what there is has been drawn. */
  drawn(): Promise<void>;
  /** What is called so: `"words"` is the text node that holds them, anything else a selector. */
  find(what: string): Node | undefined;
  /** Selects words, or all from their beginning to the end of others. */
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
        // One frame in which it is drawn, and one behind it: inner elements draw themselves a moment later.
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
      // (Methods all: tsx gives the others their names by a helper that the page has not.)
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
            scrolled: element ? [element.scrollLeft, element.scrollTop] : [],
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
