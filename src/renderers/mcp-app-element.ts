import { html, nothing, type TemplateResult } from 'lit';
import { LightElement } from '../primitives/light-element.ts';
import { safeLink, withoutBidi } from '../safety/urls.ts';
import { adoptSheet } from '../theme/sheet.ts';
import { nameOf, type McpApp } from './mcp-app-data.ts';
import { answer, hear, notify, PROTOCOL_VERSION, refuse, type RequestId, type Wish } from './mcp-app-messages.ts';
import type { RenderContext } from './renderer.ts';
import { surfaceStyles } from './surface-styles.ts';

/** What the frame is told. */
export type Say = (message: object) => void;

/**
 * An MCP App in the frame of an artifact. What it wants to say or to open in the reader's name is asked for below the frame,
 * one thing at a time: a frame cannot prove that anybody has pressed anything in it.
 */
export class AgentChatApp extends LightElement {
  static override properties = {
    app: { attribute: false },
    context: { attribute: false },
    wish: { state: true },
  };
  declare app: McpApp;
  declare context: RenderContext;
  declare protected wish: Wish | undefined;
  #say: Say | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptSheet(this, surfaceStyles);
  }

  protected override render(): TemplateResult {
    const { app, context } = this;
    const artifact = { identifier: app.uri, title: nameOf(app), type: 'text/html' } as const;
    return html`<agent-chat-artifact
        .artifact=${artifact}
        .source=${app.text}
        .settings=${context.settings}
        .label=${context.settings.localize('app.from', { name: context.message.name ?? context.settings.agentName })}
        .hear=${this.#hear}
      ></agent-chat-artifact>
      ${this.wish ? this.#ask(this.wish) : nothing}`;
  }

  #ask(wish: Wish): TemplateResult {
    const { localize } = this.context.settings;
    const name = withoutBidi(nameOf(this.app));
    const title = localize(wish.kind === 'message' ? 'app.message' : 'app.link', { name });
    return html`<section class="notice app-wish" role="group" aria-label=${title}>
      <div class="grow">
        <b>${title}</b>
        ${wish.kind === 'message' ? this.#askMessage(wish) : this.#askLink(wish)}
      </div>
    </section>`;
  }

  #askMessage({ id, text }: Wish & { readonly kind: 'message' }): TemplateResult {
    const { localize } = this.context.settings;
    return html`<p class="because" dir="auto">${withoutBidi(text)}</p>
      <div class="actions">
        <button
          type="button"
          class="button plain"
          @click=${() => {
            this.#settle(answer(id, {}));
            this.context.act('ui-message', { uri: this.app.uri, text });
          }}
        >
          ${localize('app.send')}
        </button>
        ${this.#refuse(id)}
      </div>`;
  }

  /** A link as any other of the transcript: the page hears of it, and a host that is not listed is asked about. */
  #askLink({ id, url }: Wish & { readonly kind: 'link' }): TemplateResult {
    const { localize } = this.context.settings;
    const href = safeLink(url)?.href ?? '';
    return html`<p class="because" dir="ltr">${href}</p>
      <div class="actions">
        <a
          class="button plain"
          href=${href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          @click=${() => {
            // The click is still on its way to the widget, which must find the link in its place: not even a microtask may go first.
            setTimeout(() => {
              this.#settle(answer(id, {}));
            });
          }}
          >${localize('link.open')}</a
        >
        ${this.#refuse(id)}
      </div>`;
  }

  #refuse(id: RequestId): TemplateResult {
    return html`<button
      type="button"
      class="button ghost"
      @click=${() => {
        this.#settle(refuse(id, 'The reader does not want it.'));
      }}
    >
      ${this.context.settings.localize('app.refuse')}
    </button>`;
  }

  #settle(message: object): void {
    this.#say?.(message);
    this.wish = undefined;
  }

  /** A new `say` is a new run of the app. */
  readonly #hear = (message: unknown, say: Say): void => {
    if (say !== this.#say) this.wish = undefined;
    this.#say = say;
    const heard = hear(message);
    switch (heard?.kind) {
      case 'answer':
        say(heard.message);
        break;
      case 'initialize':
        say(answer(heard.id, this.#greeting()));
        break;
      case 'initialized':
        if (this.app.arguments) say(notify('ui/notifications/tool-input', { arguments: this.app.arguments }));
        if (this.app.result !== undefined)
          say(notify('ui/notifications/tool-result', Object(this.app.result) as object));
        break;
      case 'message':
      case 'link':
        this.#wish(heard, say);
    }
  };

  #wish(wish: Wish, say: Say): void {
    const url = wish.kind === 'link' ? safeLink(wish.url) : undefined;
    if (this.wish) say(refuse(wish.id, 'The reader is being asked already.'));
    else if (wish.kind === 'link' && !url) say(refuse(wish.id, 'This address can’t be opened.'));
    else this.wish = wish;
  }

  #greeting(): object {
    const { localize } = this.context.settings;
    return {
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: { name: 'agent-chat', version: '1' },
      hostCapabilities: { openLinks: {}, message: { text: {} } },
      // The frame is a white page in either scheme.
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
