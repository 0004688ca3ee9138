import { html, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { leaveChangedForm } from '../../primitives/leave-field.ts';
import { adopt } from '../../theme/adopt.ts';
import { createStylesheet } from '../../theme/stylesheet.ts';
import { isComposing, isSendKey, type SubmitKey } from '../shared/send-key.ts';
import css from './styles/message-editor.css?inline';

const style = createStylesheet(css);

export interface MessageEditorProps {
  readonly localize: Localize;
  readonly text: string;
  readonly submitKey: SubmitKey;
  send(text: string): void;
  cancel(): void;
}

/** The form for editing a message of the user. Its keys are those of the composer. */
export function messageEditor({ localize, text, submitKey, send, cancel }: MessageEditorProps): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const value = (event.currentTarget as HTMLFormElement).querySelector('textarea')?.value.trim() ?? '';
    if (value !== '') send(value);
  };
  const onKeydown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (isSendKey(event, submitKey)) {
      event.preventDefault();
      (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
    }
  };
  const onEscape = (event: KeyboardEvent): void => {
    leaveChangedForm(event);
    if (event.key !== 'Escape' || isComposing(event) || event.defaultPrevented) return;
    // Otherwise Escape would also stop the reply, or close the panel.
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  return html`<form class="editor" @submit=${submit} @keydown=${onEscape}>
    ${adopt(style)}
    <textarea
      class="input"
      dir="auto"
      aria-label=${localize('message.edit')}
      .defaultValue=${text}
      @keydown=${onKeydown}
    ></textarea>
    <div class="actions">
      <button type="button" class="button ghost" @click=${cancel}>${localize('link.cancel')}</button>
      <button type="submit" class="button primary">${localize('composer.send')}</button>
    </div>
  </form>`;
}
