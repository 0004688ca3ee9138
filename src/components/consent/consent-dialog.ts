/**
 * The consent dialog before the first message is sent. Loaded only where the host page asks for consent. For the reasons see
 * `docs/decisions/sending.md`.
 */
import '../../locales/english/all-english.ts';
import { html, render } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { markdown } from '../../markdown/markdown-directive.ts';
import { settledPress } from '../../primitives/press/settled-press.ts';
import { deferred } from '../../runtime/deferred.ts';
import { consentKey, readConsent, storeConsent, type ConsentOptions } from '../../storage/records/consent-record.ts';
import type { TermsOptions } from '../../runtime/chat/send-guards.ts';
import sheetText from './consent-dialog.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { blockStyles } from '../../renderers/core/block-styles.ts';
import { messageStyles } from '../message/styles/message-styles.ts';
import { createDialog } from '../ui/dialog.ts';

const style = createStylesheet(sheetText);

export interface ConsentProps extends ConsentOptions, TermsOptions {
  readonly root: ParentNode & Node;
  readonly localize: Localize;
  /** The terms to accept, as Markdown. */
  readonly text: string;
  /** Called once per dialog. */
  report(accepted: boolean): void;
}

/** An open dialog. Several messages may wait for it. */
interface OpenDialog {
  readonly accepted: Promise<boolean>;
  waiting: number;
  close(): void;
}

/** The open dialogs of each widget, by the record that stores the consent and the text: users are asked separately. */
const openDialogs = new WeakMap<Node, Map<string, OpenDialog>>();

/** Resolves to whether the user accepts the terms, now or before. */
export async function requestConsent(props: ConsentProps): Promise<boolean> {
  const { root, text, quiet, signal } = props;
  const name = consentKey(props);
  if (readConsent(name) === text) return true;
  // No dialog can be shown in a widget that is not in a document.
  if (quiet || signal.aborted || !root.isConnected) return false;
  const dialogs = openDialogs.get(root) ?? new Map<string, OpenDialog>();
  openDialogs.set(root, dialogs);
  const key = JSON.stringify([name, text]);
  const pending = dialogs.get(key) ?? openDialog(props, () => dialogs.delete(key));
  dialogs.set(key, pending);
  pending.waiting++;
  signal.addEventListener('abort', () => {
    pending.waiting--;
    if (pending.waiting === 0) pending.close();
  });
  return pending.accepted;
}

/** Opens a dialog and stores the answer for the user who was asked. */
function openDialog(props: ConsentProps, onClose: () => void): OpenDialog {
  const name = consentKey(props);
  const { dialog, answer } = showDialog(props);
  const accepted = answer.then((value) => {
    onClose();
    if (value) storeConsent(props.persist, name, props.text);
    props.report(value);
    return value;
  });
  return {
    accepted,
    waiting: 0,
    close: () => {
      dialog.close('');
    },
  };
}

function showDialog({ root, localize, text }: ConsentProps): {
  readonly dialog: HTMLDialogElement;
  readonly answer: Promise<boolean>;
} {
  const dialog = createDialog(root, 'consent', 'consent-title');
  for (const stylesheet of [...messageStyles, blockStyles, style]) adoptStylesheet(root, stylesheet);
  dialog.setAttribute('aria-describedby', 'consent-text');
  const accepted = deferred<boolean>();
  const closeWith = (value: string) => (): void => {
    dialog.close(value);
  };
  // The heading gets the focus: the Enter that sent the message must not press a button.
  render(
    html`<h2 id="consent-title" tabindex="-1" autofocus>${localize('consent.title')}</h2>
      <div class="prose" id="consent-text">${markdown(text, { localize, image: (_src, alt) => html`${alt}` })}</div>
      <div class="actions settling" ${settledPress()}>
        <button type="button" class="button plain" @click=${closeWith('')}>${localize('consent.decline')}</button>
        <button type="button" class="button primary" @click=${closeWith(YES)}>${localize('consent.accept')}</button>
      </div>`,
    dialog,
  );
  dialog.addEventListener('keydown', (event) => {
    // Escape closes only the dialog, not the panel below it.
    event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    accepted.resolve(dialog.returnValue === YES);
  });
  root.append(dialog);
  dialog.showModal();
  return { dialog, answer: accepted.promise };
}

const YES = 'accepted';
