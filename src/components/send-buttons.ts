import { html, nothing } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';

export interface SendButtonsProps {
  readonly localize: Localize;
  /** A reply is running: it can be stopped, and what is sent waits. */
  readonly busy: boolean;
  /** There is nothing to send. */
  readonly empty: boolean;
  readonly disabled: boolean;
  stop(): void;
}

/** One button, or two where a reply runs and words are written. */
export function sendButtons({ localize, busy, empty, disabled, stop }: SendButtonsProps): unknown {
  const sending = localize(busy ? 'composer.queue' : 'composer.send');
  const stopping = localize('composer.stop');
  return [
    busy
      ? html`<button
          type="button"
          class="icon-button send stop ${empty ? '' : 'quiet'}"
          part="stop-button"
          aria-label=${stopping}
          title=${stopping}
          @click=${stop}
        >
          ${icon('stop')}
        </button>`
      : nothing,
    busy && empty
      ? nothing
      : html`<button
          type="submit"
          class="icon-button send"
          part="send-button"
          aria-label=${sending}
          title=${sending}
          ?disabled=${empty || disabled}
        >
          ${icon('up')}
        </button>`,
  ];
}
