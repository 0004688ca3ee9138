import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { lazyIcon } from '../lazy-icons.ts';
import { LightElement } from '../light-dom-element.ts';

/** An audio or video player, or the question whether to load the file from its host. */
export class AgentChatPlayer extends LightElement {
  static override properties = {
    kind: { attribute: false },
    src: { attribute: false },
    label: { attribute: false },
    host: { attribute: false },
    localize: { attribute: false },
    asked: { state: true },
  };
  declare kind: 'audio' | 'video';
  declare src: string;
  declare label: string;
  /** The host that is contacted only when the user clicks; empty for inline media, undefined loads immediately. */
  declare host: string | undefined;
  declare localize: Localize;
  /** Whether the user has asked to load or play it. */
  declare protected asked: boolean;

  constructor() {
    super();
    this.asked = false;
  }

  /** The user has allowed one URL. The agent may replace it, even by one that contains what the user types into its form. */
  protected override willUpdate(changes: PropertyValues<this>): void {
    if (this.host && (changes.has('src') || changes.has('host'))) this.asked = false;
  }

  protected override render(): TemplateResult {
    const { host, src, label, localize } = this;
    if (host !== undefined && !this.asked) {
      return html`<div class="card object">
        <span class="tile">${lazyIcon('file')}</span>
        <span class="grow"
          ><b class="clip">${label}</b>${
            host ? html`<span class="meta">${localize('media.host', { host })}</span>` : nothing
          }</span
        >
        <button
          type="button"
          class="button plain"
          @click=${() => {
            this.asked = true;
          }}
        >
          ${localize(host ? 'media.load' : 'media.play')}
        </button>
      </div>`;
    }
    // The user's click should also start playback.
    const plays = host === '';
    return this.kind === 'audio'
      ? html`<figure class="card player">
          <figcaption class="clip">${label}</figcaption>
          <audio controls preload="metadata" ?autoplay=${plays} src=${src} aria-label=${label}></audio>
        </figure>`
      : html`<video
          class="picture"
          controls
          preload="metadata"
          playsinline
          ?autoplay=${plays}
          src=${src || nothing}
          aria-label=${label}
        ></video>`;
  }
}
