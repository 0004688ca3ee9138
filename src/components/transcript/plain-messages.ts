import { html, type TemplateResult } from 'lit';
import { limitAccents } from '../../limit-accents.ts';
import type { Localize, TextValues } from '../../locales/localize.ts';
import type { BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';

/** Maximum number of messages. The elements of the transcript render only those near the viewport. */
const MAX_MESSAGES = 40;
/** Maximum length of an error, as in the error block. */
const ERROR_LENGTH = 2000;

/** The last messages as plain text, while the elements of the transcript load, or if they fail to load. */
export const plainMessages = (messages: readonly ChatMessage[], localize: Localize): readonly TemplateResult[] =>
  messages.slice(-MAX_MESSAGES).map((message) => {
    const text = limitAccents(plainTextOf(message, localize));
    // A reply has no text at first.
    return html`<p
      class="plain-message ${message.role}"
      part=${`message message-${message.role}`}
      dir="auto"
      ?hidden=${text === ''}
      .textContent=${text}
    ></p>`;
  });

/** The text of the message and its error messages. */
const plainTextOf = (message: ChatMessage, localize: Localize): string =>
  [textOf(message), ...message.blocks.map((block) => (block.type === 'error' ? errorTextOf(block, localize) : ''))]
    .filter(Boolean)
    .join(' ');

function errorTextOf({ content, extra }: BlockOf<'error'>, localize: Localize): string {
  const reason = extra?.['reason'];
  const key = typeof reason === 'string' ? `error.${reason}` : '';
  return localize.has(key) ? localize(key, extra as TextValues) : content.slice(0, ERROR_LENGTH);
}
