import '../../locales/english/all-english.ts';
import { html, nothing, render } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { createDialog } from '../ui/dialog.ts';

/** A longer address (characters) may have to be scrolled, and therefore can be focused. */
const ADDRESS_LENGTH = 400;

/** Asks the user to confirm a link to a host that the host page has not listed. Shows the complete URL. */
export function confirmExternalLink(root: Node & ParentNode, url: URL, localize: Localize): void {
  const dialog = createDialog(root, 'external-link', 'link-title');
  const close = (): void => {
    dialog.close();
  };
  // The host name may also occur elsewhere in the URL, for example as the user name, so its position is computed from the path.
  const end = url.href.indexOf('/', url.protocol.length + 2);
  const start = end - url.host.length;
  const tabIndex = url.href.length > ADDRESS_LENGTH ? '0' : nothing;
  render(
    html`<h2 id="link-title">${localize('link.title')}</h2>
      <p>${localize('link.explain', { host: url.host })}</p>
      <p class="address" tabindex=${tabIndex}>${url.href.slice(0, start)}<b>${url.host}</b>${url.href.slice(end)}</p>
      <div class="actions">
        <button type="button" class="button plain" autofocus @click=${close}>${localize('link.cancel')}</button>
        <a
          class="button primary"
          href=${url.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          @click=${handleLinkClick}
          @auxclick=${handleLinkClick}
          >${localize('link.open')}</a
        >
      </div>`,
    dialog,
  );
  function handleLinkClick(event: MouseEvent): void {
    if (event.button > 1) return;
    // The second press of a double-click was meant for the link that has opened the dialog.
    if (event.detail > 1) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    // The user has confirmed. The browser opens the link.
    event.stopPropagation();
    close();
  }
  root.append(dialog);
  dialog.showModal();
}
