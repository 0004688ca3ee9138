import '../../locales/english/all-english.ts';
import { html, nothing, render, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { createDialog } from '../ui/dialog.ts';
import css from './shortcuts-dialog.css?inline';

const sheet = createStylesheet(css);

/** The class of the dialog, by which it is found while it is open. */
const DIALOG = 'keys';

export interface ShortcutsOptions {
  readonly localize: Localize;
  /** Whether Enter inserts a line break, so that only Ctrl or ⌘ + Enter sends. */
  readonly enterBreaksLine: boolean;
  readonly hasCommands: boolean;
  readonly hasMentions: boolean;
  /** Whether the widget's own search is available. */
  readonly hasSearch: boolean;
  /** Whether the panel can be closed. */
  readonly isClosable: boolean;
}

type Shortcut = readonly [label: string, ...keys: readonly string[]];

/** Opens the dialog with the keyboard shortcuts for the current settings. */
export function openShortcutsDialog(root: Node & ParentNode, options: ShortcutsOptions): void {
  if (root.querySelector(`.${DIALOG}`)) return;
  const { localize } = options;
  const dialog = createDialog(root, DIALOG, 'keys-title');
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
      <dl>${shortcuts(options).map(shortcutRow)}</dl>`,
    dialog,
  );
  // `<agent-chat>` must not handle keys that are pressed in the dialog.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  root.append(dialog);
  adoptStylesheet(dialog, sheet);
  dialog.showModal();
}

function shortcuts({
  localize,
  enterBreaksLine,
  hasCommands,
  hasMentions,
  hasSearch,
  isClosable,
}: ShortcutsOptions): readonly Shortcut[] {
  const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';
  const enter = localize('keys.enter');
  return [
    [localize('keys.send'), ...(enterBreaksLine ? [mod] : []), enter],
    [localize('keys.line'), ...(enterBreaksLine ? [] : [localize('keys.shift')]), enter],
    [localize('keys.recall'), '↑'],
    ...(hasCommands ? [[localize('keys.commands'), '/'] as const] : []),
    ...(hasMentions ? [[localize('keys.mentions'), '@'] as const] : []),
    [localize(isClosable ? 'keys.stop' : 'keys.stop-inline'), 'Esc'],
    ...(hasSearch ? [[localize('find.open'), mod, 'F'] as const] : []),
    [localize('keys.open'), '?'],
  ];
}

const shortcutRow = ([label, ...keys]: Shortcut): TemplateResult =>
  html`<div>
    <dt>${label}</dt>
    <dd>${keys.map((key, index) => html`${index > 0 ? ' + ' : nothing}<kbd>${key}</kbd>`)}</dd>
  </div>`;
