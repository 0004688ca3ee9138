/** What the reader accepts before anything of theirs is sent. Fetched where a page asks for it. Source: the contract, `consent`. */
import { html, render } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { markdown } from '../markdown/markdown.ts';
import { inLanguageOf } from '../primitives/in-language.ts';
import { scopeOf } from '../runtime/keeping/scope.ts';
import { OWN } from '../runtime/keeping/stored-before.ts';
import type { StorageSettings } from '../runtime/keeping/conversation-store.ts';
import sheetText from '../theme/consent.css?inline';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import { messageStyles } from './message-styles.ts';

const style = sheet(sheetText);

export interface ConsentProps {
  readonly root: ParentNode & Node;
  readonly localize: Localize;
  /** What is to be accepted, as Markdown. */
  readonly text: string;
  /** Whose consent it is. */
  readonly endpoint: string | undefined;
  readonly storage: StorageSettings | undefined;
  tell(accepted: boolean): void;
}

/** Questions that are open, so that two messages at once ask once. */
const asked = new WeakMap<Node, Promise<boolean>>();

/** Whether the reader has accepted the text, now or before. */
export async function consented(props: ConsentProps): Promise<boolean> {
  const { root, endpoint, storage, text, tell } = props;
  const name = nameOf(endpoint, storage);
  if (recall(name) === markOf(text)) return true;
  // Nobody can be asked in a widget that is in no page.
  if (!root.isConnected) return false;
  const answer = asked.get(root) ?? ask(props);
  asked.set(root, answer);
  try {
    const accepted = await answer;
    if (accepted) keep(name, markOf(text));
    if (asked.get(root) === answer) tell(accepted);
    return accepted;
  } finally {
    asked.delete(root);
  }
}

/** What was accepted is asked for again. */
export function forgetConsent({ endpoint, storage }: Pick<ConsentProps, 'endpoint' | 'storage'>): void {
  keep(nameOf(endpoint, storage), undefined);
}

function ask({ root, localize, text }: ConsentProps): Promise<boolean> {
  for (const part of [...messageStyles, style]) adoptSheet(root, part);
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog consent';
  dialog.setAttribute('part', 'dialog');
  dialog.setAttribute('aria-labelledby', 'consent-title');
  dialog.setAttribute('aria-describedby', 'consent-text');
  inLanguageOf(root, dialog);
  const accepted = Promise.withResolvers<boolean>();
  const leave = (value: string) => (): void => {
    dialog.close(value);
  };
  // Nothing to press has the focus: the Enter that sent the message is no answer.
  render(
    html`<h2 id="consent-title" tabindex="-1" autofocus>${localize('consent.title')}</h2>
      <div class="prose" id="consent-text">${markdown(text, { localize, image: (_src, alt) => html`${alt}` })}</div>
      <div class="actions">
        <button type="button" class="button plain" @click=${leave('')}>${localize('consent.decline')}</button>
        <button type="button" class="button primary" @click=${leave(YES)}>${localize('consent.accept')}</button>
      </div>`,
    dialog,
  );
  dialog.addEventListener('keydown', (event) => {
    // Escape closes the dialog, and not the panel below it.
    event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    accepted.resolve(dialog.returnValue === YES);
  });
  root.append(dialog);
  dialog.showModal();
  return accepted.promise;
}

const YES = 'accepted';

const nameOf = (endpoint: string | undefined, storage: StorageSettings | undefined): string =>
  `${OWN}consent ${scopeOf(endpoint, storage)}`;

/** Where the browser keeps nothing, it holds as long as the page. */
const here = new Map<string, string>();

function recall(name: string): string | null | undefined {
  try {
    return here.get(name) ?? localStorage.getItem(name);
  } catch {
    return undefined;
  }
}

function keep(name: string, mark: string | undefined): void {
  if (mark === undefined) here.delete(name);
  else here.set(name, mark);
  try {
    if (mark === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, mark);
  } catch {
    // It is kept here.
  }
}

/** Tells one text from another, in few characters: its length and a 32-bit FNV-1a. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return `${String(text.length)} ${(hash >>> 0).toString(36)}`;
}
