import type { Localize } from '../../locales/localize.ts';
import { isListed, isWeb } from '../../safety/hosts.ts';
import { AgentChatLinkEvent } from '../shared/events.ts';

export interface LinkHandlerHost {
  localize(): Localize;
  /** Hosts whose links open without a confirmation. */
  linkHosts(): string;
  /** Dispatches an event to the host page. @returns false when the host page cancels it */
  dispatch(event: Event): boolean;
}

/**
 * Handles clicks on links of the transcript, also with the middle button. The host page is notified first, and a host that it has
 * not listed needs a confirmation.
 */
export function handleLinkClicks(root: Node & ParentNode, host: LinkHandlerHost): void {
  for (const type of ['click', 'auxclick']) {
    root.addEventListener(type, (event) => {
      followLink(event as MouseEvent, root, host);
    });
  }
}

function followLink(event: MouseEvent, root: Node & ParentNode, host: LinkHandlerHost): void {
  // A button inside of the link has handled its own press.
  if (event.button > 1 || event.defaultPrevented) return;
  const anchor = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  // Slotted content belongs to the host page.
  if (!anchor?.href || anchor.hasAttribute('download') || anchor.getRootNode() !== root) return;
  const messageElement = anchor.closest('agent-chat-message');
  if (!host.dispatch(new AgentChatLinkEvent(anchor.href, messageElement?.message))) {
    event.preventDefault();
    return;
  }
  const url = new URL(anchor.href);
  if (!isWeb(url) || isListed(url, host.linkHosts(), location.origin)) return;
  event.preventDefault();
  // If the dialog fails to load, the link does not open.
  void import('./external-link-dialog.ts').then(
    ({ confirmExternalLink }) => {
      // The conversation may have been closed meanwhile, such as that of another user. A link in a question disappears with it.
      if ((messageElement ?? anchor).isConnected) confirmExternalLink(root, url, host.localize());
    },
    () => undefined,
  );
}
