import type { Localize } from '../locales/localize.ts';
import { isListed } from '../safety/hosts.ts';
import { AgentChatLinkEvent } from './events.ts';
import { askBeforeLeaving } from './link-dialog.ts';

export interface LinkHost {
  localize(): Localize;
  /** Hosts that the reader leaves for without being asked. */
  linkHosts(): string;
  /** Tells the page; false when it does not want the link opened. */
  tell(event: Event): boolean;
}

/**
 * A click on a link of the transcript, of the middle button too: the page hears of it, and a host that it has not listed is
 * asked about.
 */
export function followLinks(root: Node & ParentNode, host: LinkHost): void {
  for (const type of ['click', 'auxclick']) {
    root.addEventListener(type, (event) => {
      followLink(event as MouseEvent, root, host);
    });
  }
}

function followLink(event: MouseEvent, root: Node & ParentNode, host: LinkHost): void {
  // The right button opens a menu, not the link.
  if (event.button > 1) return;
  const anchor = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  // What a page has put into a slot is its own.
  if (!anchor?.href || anchor.hasAttribute('download') || anchor.getRootNode() !== root) return;
  const message = anchor.closest('agent-chat-message')?.message;
  if (!host.tell(new AgentChatLinkEvent(anchor.href, message))) {
    event.preventDefault();
    return;
  }
  const url = new URL(anchor.href);
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  if (!web || isListed(url, host.linkHosts(), location.origin)) return;
  event.preventDefault();
  askBeforeLeaving(root, url, host.localize());
}
