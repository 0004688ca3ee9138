import { html, render } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { inLanguageOf } from '../primitives/in-language.ts';

/** Asks before the reader leaves for a host that the page has not listed, with the whole address. */
export function askBeforeLeaving(root: Node & ParentNode, url: URL, localize: Localize): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('part', 'dialog');
  dialog.setAttribute('aria-labelledby', 'link-title');
  inLanguageOf(root, dialog);
  const close = (): void => {
    dialog.close();
  };
  // The host may stand anywhere again: it is what ends before the path, behind a user's name.
  const end = url.href.indexOf('/', url.protocol.length + 2);
  const start = end - url.host.length;
  render(
    html`<h2 id="link-title">${localize('link.title')}</h2>
      <p>${localize('link.explain', { host: url.host })}</p>
      <p class="address">${url.href.slice(0, start)}<b>${url.host}</b>${url.href.slice(end)}</p>
      <div class="actions">
        <button type="button" class="button plain" autofocus @click=${close}>${localize('link.cancel')}</button>
        <a
          class="button primary"
          href=${url.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          @click=${leave}
          @auxclick=${leave}
          >${localize('link.open')}</a
        >
      </div>`,
    dialog,
  );
  function leave(event: MouseEvent): void {
    if (event.button > 1) return;
    // It has been asked; the link itself is the browser's to open.
    event.stopPropagation();
    close();
  }
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  root.append(dialog);
  dialog.showModal();
}
