import { html, nothing, type TemplateResult } from 'lit';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { safeLink, withoutBidi } from '../../safety/urls.ts';
import { adoptStylesheet } from '../../theme/stylesheet.ts';
import { appName, type McpApp } from './read-resource.ts';
import {
  rpcResult,
  parseAppMessage,
  rpcNotification,
  PROTOCOL_VERSION,
  appRpcError,
  type RequestId,
  type AppRequest,
} from './host-protocol.ts';
import type { RenderContext } from '../core/renderer.ts';
import { messageAuthor } from '../core/author-name.ts';
import { surfaceStyles } from '../core/surface-styles.ts';

/**
 * How long a request is visible before it can be answered (ms). The app chooses when it asks, and how high its frame
 * is: otherwise it could move a button under a pointer that is being pressed.
 */
const SETTLE_MS = 500;

/** The messages to the frame. */
export type SendToApp = (message: object) => void;

/**
 * An MCP App in the frame of an artifact. When it wants to send a message or open a link for the user, the widget asks
 * below the frame, one request at a time. The frame cannot prove that the user pressed anything in it.
 */
export class AgentChatApp extends LightElement {
  static override properties = {
    app: { attribute: false },
    context: { attribute: false },
    wish: { state: true },
    settled: { state: true },
  };
  declare app: McpApp;
  declare context: RenderContext;
  declare protected wish: AppRequest | undefined;
  /** Whether the request has been visible for long enough, without a press. */
  declare protected settled: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #say: SendToApp | undefined;

  constructor() {
    super();
    this.settled = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, surfaceStyles);
  }

  protected override render(): TemplateResult {
    const { app, context } = this;
    const artifact = { identifier: app.uri, title: appName(app), type: 'text/html' } as const;
    return html`<agent-chat-artifact
        .artifact=${artifact}
        .source=${app.text}
        .settings=${context.settings}
        .label=${context.settings.localize('app.from', { name: messageAuthor(context) })}
        .hear=${this.#hear}
      ></agent-chat-artifact>
      ${this.wish ? this.#ask(this.wish) : nothing}`;
  }

  #ask(wish: AppRequest): TemplateResult {
    const { localize } = this.context.settings;
    const name = withoutBidi(appName(this.app));
    const title = localize(wish.kind === 'message' ? 'app.message' : 'app.link', { name });
    return html`<section class="notice app-wish" role="group" aria-label=${title} @click=${this.#early}>
      <div class="grow">
        <b>${title}</b>
        ${wish.kind === 'message' ? this.#askMessage(wish) : this.#askLink(wish)}
      </div>
    </section>`;
  }

  #askMessage({ id, text }: AppRequest & { readonly kind: 'message' }): TemplateResult {
    const { localize } = this.context.settings;
    return html`<p class="because" dir="auto">${withoutBidi(text)}</p>
      <div class="actions">
        <button
          type="button"
          class="button plain"
          aria-disabled=${this.#disabled}
          @click=${() => {
            this.#settle(rpcResult(id, {}));
            this.context.act('ui-message', { uri: this.app.uri, text });
          }}
        >
          ${localize('app.send')}
        </button>
        ${this.#refuse(id)}
      </div>`;
  }

  /** Opens a link like any other of the transcript: the page receives the event, and unlisted hosts are confirmed. */
  #askLink({ id, url }: AppRequest & { readonly kind: 'link' }): TemplateResult {
    const { localize } = this.context.settings;
    const href = safeLink(url)?.href ?? '';
    return html`<p class="because" dir="ltr">${href}</p>
      <div class="actions">
        <a
          class="button plain"
          aria-disabled=${this.#disabled}
          href=${href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          @click=${() => {
            // The click still has to bubble to the widget, which must find the link in the document. So the link must
            // not be removed before then, not even in a microtask.
            setTimeout(() => {
              this.#settle(rpcResult(id, {}));
            });
          }}
          >${localize('link.open')}</a
        >
        ${this.#refuse(id)}
      </div>`;
  }

  get #disabled(): 'true' | typeof nothing {
    return this.settled ? nothing : 'true';
  }

  /** Ignores a press that comes too early, and waits again. */
  readonly #early = {
    capture: true,
    handleEvent: (event: Event): void => {
      if (this.settled) return;
      event.preventDefault();
      event.stopPropagation();
      this.#settleSoon();
    },
  };

  #settleSoon(): void {
    clearTimeout(this.#timer);
    this.settled = false;
    this.#timer = setTimeout(() => {
      this.settled = true;
    }, SETTLE_MS);
  }

  #refuse(id: RequestId): TemplateResult {
    return html`<button
      type="button"
      class="button ghost"
      @click=${() => {
        this.#settle(appRpcError(id, 'The reader does not want it.'));
      }}
    >
      ${this.context.settings.localize('app.refuse')}
    </button>`;
  }

  #settle(message: object): void {
    this.#say?.(message);
    this.wish = undefined;
  }

  /** A new `say` function means that the app was restarted. */
  readonly #hear = (message: unknown, say: SendToApp): void => {
    if (say !== this.#say) this.wish = undefined;
    this.#say = say;
    const heard = parseAppMessage(message);
    switch (heard?.kind) {
      case 'answer':
        say(heard.message);
        break;
      case 'initialize':
        say(rpcResult(heard.id, this.#greeting()));
        break;
      case 'initialized':
        if (this.app.arguments) say(rpcNotification('ui/notifications/tool-input', { arguments: this.app.arguments }));
        if (this.app.result !== undefined)
          say(rpcNotification('ui/notifications/tool-result', Object(this.app.result) as object));
        break;
      case 'message':
      case 'link':
        this.#wish(heard, say);
    }
  };

  #wish(wish: AppRequest, say: SendToApp): void {
    const url = wish.kind === 'link' ? safeLink(wish.url) : undefined;
    if (this.wish) say(appRpcError(wish.id, 'The reader is being asked already.'));
    else if (wish.kind === 'link' && !url) say(appRpcError(wish.id, 'This address can’t be opened.'));
    else {
      this.wish = wish;
      this.#settleSoon();
    }
  }

  #greeting(): object {
    const { localize } = this.context.settings;
    return {
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: { name: 'agent-chat', version: '1' },
      hostCapabilities: { openLinks: {}, message: { text: {} } },
      // The frame has a white background in both colour schemes.
      hostContext: {
        theme: 'light',
        displayMode: 'inline',
        availableDisplayModes: ['inline'],
        locale: localize.locale,
        platform: 'web',
      },
    };
  }
}
