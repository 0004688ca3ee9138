import { html, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';

export interface MessageEditorProps {
  readonly localize: Localize;
  readonly text: string;
  send(text: string): void;
  cancel(): void;
}

/** Other words for what the reader has sent. */
export function messageEditor({ localize, text, send, cancel }: MessageEditorProps): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const words = (event.currentTarget as HTMLFormElement).querySelector('textarea')?.value.trim() ?? '';
    if (words !== '') send(words);
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // It would close the dialog of a phone.
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  return html`<form class="editor" @submit=${submit}>
    <textarea
      class="input"
      dir="auto"
      aria-label=${localize('message.edit')}
      .value=${text}
      @keydown=${leave}
    ></textarea>
    <div class="actions">
      <button type="button" class="button ghost" @click=${cancel}>${localize('link.cancel')}</button>
      <button type="submit" class="button primary">${localize('composer.send')}</button>
    </div>
  </form>`;
}
