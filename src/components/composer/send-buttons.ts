import { html, nothing } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';

export interface SendButtonsProps {
  readonly localize: Localize;
  /** Whether a reply is running: it can be stopped, and new messages are queued. */
  readonly busy: boolean;
  /** Whether there is nothing to send. */
  readonly empty: boolean;
  readonly disabled: boolean;
  stop(): void;
}

/** The send button, the stop button, or both while a reply is running and there is text. */
export function sendButtons({ localize, busy, empty, disabled, stop }: SendButtonsProps): unknown {
  const sendLabel = localize(busy ? 'composer.queue' : 'composer.send');
  const stopLabel = localize('composer.stop');
  return [
    busy
      ? html`<button
          type="button"
          class="icon-button send stop ${empty ? '' : 'quiet'}"
          part="stop-button"
          aria-label=${stopLabel}
          title=${stopLabel}
          @click=${({ detail }: MouseEvent) => {
            // The second press of a double-click was meant for the send button, which this one has replaced.
            if (detail < 2) stop();
          }}
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
          aria-label=${sendLabel}
          title=${sendLabel}
          ?disabled=${empty || disabled}
        >
          ${icon('up')}
        </button>`,
  ];
}
