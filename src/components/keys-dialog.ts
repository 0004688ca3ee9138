import { html, nothing, render, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import { inLanguageOf } from '../primitives/in-language.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import styles from '../theme/keys.css?inline';

const style = sheet(styles);

export interface KeysOptions {
  readonly localize: Localize;
  /** Enter breaks the line, and sends with Ctrl only. */
  readonly entersLine: boolean;
  readonly commands: boolean;
  readonly mentions: boolean;
  /** There is a search of ours. */
  readonly finds: boolean;
  /** It can be closed. */
  readonly closes: boolean;
}

type Row = readonly [words: string, ...keys: readonly string[]];

/** The keys of the widget, as it is set now. */
export function openKeysDialog(root: Node & ParentNode, options: KeysOptions): void {
  if (root.querySelector('.keys')) return;
  const { localize } = options;
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog keys';
  dialog.setAttribute('part', 'dialog');
  dialog.setAttribute('aria-labelledby', 'keys-title');
  inLanguageOf(root, dialog);
  const close = (): void => {
    dialog.close();
  };
  render(
    html`<header>
        <h2 id="keys-title">${localize('keys.open')}</h2>
        <button type="button" class="icon-button" aria-label=${localize('keys.close')} autofocus @click=${close}>
          ${icon('close')}
        </button>
      </header>
      <dl>${rows(options).map(row)}</dl>`,
    dialog,
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  // What is pressed here is not meant for the panel behind it.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  root.append(dialog);
  adoptSheet(dialog, style);
  dialog.showModal();
}

function rows({ localize, entersLine, commands, mentions, finds, closes }: KeysOptions): readonly Row[] {
  const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';
  const enter = localize('keys.enter');
  return [
    [localize('keys.send'), ...(entersLine ? [mod] : []), enter],
    [localize('keys.line'), ...(entersLine ? [] : [localize('keys.shift')]), enter],
    [localize('keys.recall'), '↑'],
    ...(commands ? [[localize('keys.commands'), '/'] as const] : []),
    ...(mentions ? [[localize('keys.mentions'), '@'] as const] : []),
    [localize(closes ? 'keys.stop' : 'keys.stop-inline'), 'Esc'],
    ...(finds ? [[localize('find.open'), mod, 'F'] as const] : []),
    [localize('keys.open'), '?'],
  ];
}

const row = ([words, ...keys]: Row): TemplateResult =>
  html`<div>
    <dt>${words}</dt>
    <dd>${keys.map((key, index) => html`${index > 0 ? ' + ' : nothing}<kbd>${key}</kbd>`)}</dd>
  </div>`;
