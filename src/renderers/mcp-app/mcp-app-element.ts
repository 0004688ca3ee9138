import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { ignorePresses } from '../../safety/ignore-presses-near-frames.ts';
import { safeLink } from '../../safety/urls.ts';
import { watchColors } from '../../primitives/watch-colors.ts';
import { adoptStylesheet } from '../../theme/stylesheet.ts';
import { authorName } from '../core/author-name.ts';
import { appName, isSameResource, type McpApp } from './read-resource.ts';
import {
  rpcResult,
  parseAppMessage,
  rpcNotification,
  PROTOCOL_VERSION,
  appRpcError,
  unsupported,
  type RequestId,
  type AppRequest,
} from './host-protocol.ts';
import { appQuestion } from './app-question.ts';
import { hostContext } from './host-context.ts';
import { connectionOf, mayRequest, type AppConnection } from './app-connection.ts';
import type { RenderContext } from '../core/renderer.ts';
import { messageAuthor } from '../core/author-name.ts';
import { surfaceStyles } from '../core/surface-styles.ts';

/**
 * How long a request is visible before it can be answered (ms). The app chooses when it asks, and how high its frame
 * is: otherwise it could move a button under a pointer that is being pressed.
 */
const SETTLE_MS = 500;

/** Sends a message to the app in the frame. */
export type SendToApp = (message: object) => void;

/**
 * An MCP App in the frame of an artifact. When it wants to send a message, open a link, call a tool or fill the window,
 * the widget asks the user below the frame, one request at a time. The frame cannot prove that the user pressed anything in it.
 */
export class AgentChatApp extends LightElement {
  static override properties = {
    app: { attribute: false },
    context: { attribute: false },
    request: { state: true },
    settled: { state: true },
    full: { state: true },
  };
  declare app: McpApp;
  declare context: RenderContext;
  declare protected request: AppRequest | undefined;
  /** Whether the request has been visible for long enough, without a press. */
  declare protected settled: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the app fills the window. The app can only ask the user for that. */
  declare protected full: boolean;
  #send: SendToApp | undefined;
  /** Whether the app has reported that it is initialized, so that it accepts notifications. */
  #isReady = false;
  /** The last context, input and result that the app has received, as JSON, by the name of the notification. */
  readonly #sent = new Map<string, string>();
  #requests = new AbortController();
  /** Tools of which the user has allowed all later calls too. */
  readonly #allowedTools = new Set<string>();
  readonly #size = new ResizeObserver(() => {
    this.#sendContext();
  });

  constructor() {
    super();
    this.settled = false;
    this.full = false;
    watchColors(this, () => {
      this.#sendContext();
    });
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing || !this.full) return;
      // Otherwise Escape would also stop the reply, or close a dialog around this one.
      event.stopPropagation();
      event.preventDefault();
      this.#setFull(false);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, surfaceStyles);
    if (this.#dialog) this.#size.observe(this.#dialog);
  }

  protected override firstUpdated(): void {
    if (this.#dialog) this.#size.observe(this.#dialog);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
    this.#abortRequests();
    this.#uncover();
  }

  /** The permissions end when the agent replaces the app in its block. */
  protected override willUpdate(changes: PropertyValues<this>): void {
    const before = changes.get('app');
    if (!before || (isSameResource(before, this.app) && before.text === this.app.text)) return;
    this.#allowedTools.clear();
    this.#abortRequests();
    this.request = undefined;
    this.#uncover();
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('app')) this.#sendToolData();
    if (changes.has('context')) this.#sendContext();
  }

  protected override render(): TemplateResult {
    const { app, context } = this;
    const artifact = { identifier: app.uri, title: appName(app), type: 'text/html' } as const;
    return html`<dialog open aria-label=${artifact.title} @cancel=${this.#leave}>
      <agent-chat-artifact
        .artifact=${artifact}
        .source=${app.text}
        .settings=${context.settings}
        .label=${context.settings.localize('app.from', { name: messageAuthor(context) })}
        .hear=${this.#hear}
      ></agent-chat-artifact>
      ${
        this.#isReady || this.full
          ? html`<button
              type="button"
              class="button ghost app-full"
              @click=${() => {
                this.#setFull(!this.full);
              }}
            >
              ${lazyIcon('expand', 'small')}${context.settings.localize(this.full ? 'app.exit' : 'app.full')}
            </button>`
          : nothing
      }
      ${this.request ? this.#ask(this.request) : nothing}
    </dialog>`;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector<HTMLDialogElement>(':scope > dialog');
  }

  /** The name that the app gives itself. */
  get #name(): string {
    const { localize, agentName, userName, agents = [] } = this.context.settings;
    return authorName(appName(this.app), localize, [agentName, userName, ...agents.map(({ name }) => name)]);
  }

  #ask(request: AppRequest): TemplateResult {
    return appQuestion({
      request,
      name: this.#name,
      context: this.context,
      settled: this.settled,
      clickGuard: this.#clickGuard,
      accept: (always = false) => {
        this.#accept(request, always);
      },
      refuse: () => {
        this.#settle(appRpcError(request.id, 'The user has declined the request.'));
      },
    });
  }

  #accept(request: AppRequest, always: boolean): void {
    switch (request.kind) {
      case 'message':
        this.#settle(rpcResult(request.id, {}));
        this.context.act('ui-message', { uri: this.app.uri, text: request.text });
        break;
      case 'link':
        this.#settle(rpcResult(request.id, {}));
        break;
      case 'fullscreen':
        this.#setFull(true);
        this.#settle(rpcResult(request.id, { mode: 'fullscreen' }));
        break;
      case 'tool':
        if (always) this.#allowedTools.add(request.params.name);
        this.request = undefined;
        this.#callTool(request);
    }
  }

  /** Ignores a click that comes too early, and restarts the wait. */
  readonly #clickGuard = {
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

  #settle(message: object): void {
    this.#send?.(message);
    this.request = undefined;
  }

  /** A new `send` function means that the app was restarted. */
  readonly #hear = (message: unknown, send: SendToApp): void => {
    if (send !== this.#send) {
      this.#abortRequests();
      this.request = undefined;
      this.#isReady = false;
      this.#sent.clear();
    }
    this.#send = send;
    const heard = parseAppMessage(message);
    switch (heard?.kind) {
      case 'answer':
        send(heard.message);
        break;
      case 'initialize':
        send(rpcResult(heard.id, this.#initializeResult()));
        break;
      case 'initialized':
        this.#isReady = true;
        this.requestUpdate();
        this.#sendToolData();
        break;
      case 'inline':
        this.#uncover();
        send(rpcResult(heard.id, { mode: 'inline' }));
        break;
      case 'context':
        // The page decides which of these the agent receives.
        this.context.act('ui-context', { uri: this.app.uri, ...heard.params });
        send(rpcResult(heard.id, {}));
        break;
      case 'read':
        if (!this.#connection) send(unsupported(heard.id, 'resources/read'));
        else if (mayRequest(this)) this.#request(heard.id, { method: 'resources/read', params: heard.params });
        else send(tooMany(heard.id));
        break;
      case 'tool':
        if (!this.#connection) send(unsupported(heard.id, 'tools/call'));
        else if (!this.#allowedTools.has(heard.params.name)) this.#present(heard, send);
        else if (mayRequest(this)) this.#callTool(heard);
        else send(tooMany(heard.id));
        break;
      case 'fullscreen':
      case 'message':
      case 'link':
        this.#present(heard, send);
    }
  };

  #present(request: AppRequest, send: SendToApp): void {
    const url = request.kind === 'link' ? safeLink(request.url) : undefined;
    if (this.request) send(appRpcError(request.id, 'Another request is waiting for the user.'));
    else if (request.kind === 'link' && !url) send(appRpcError(request.id, 'This address can’t be opened.'));
    else {
      this.request = request;
      this.#settleSoon();
    }
  }

  get #connection(): AppConnection | undefined {
    return connectionOf(this.app, this.context);
  }

  #callTool({ id, params }: Extract<AppRequest, { kind: 'tool' }>): void {
    this.#request(id, { method: 'tools/call', params });
  }

  /** Sends a request to the server. An app that has restarted meanwhile receives nothing. */
  #request(id: RequestId, request: Parameters<AppConnection>[0]): void {
    const send = this.#send;
    const answer = (message: () => object): void => {
      if (this.#send !== send) return;
      try {
        send?.(message());
      } catch {
        send?.(appRpcError(id, 'The result can’t be passed on.'));
      }
    };
    const isAutomatic = request.method === 'resources/read';
    const { signal } = this.#requests;
    void this.#connection?.(request, { isAutomatic, signal }).then(
      (result) => {
        answer(() => rpcResult(id, Object(result ?? {}) as object));
      },
      () => {
        // An error of the page may contain an address or a key.
        answer(() => appRpcError(id, 'The request has failed.'));
      },
    );
  }

  /** Aborts the requests of the app: it is removed, replaced or restarted. */
  #abortRequests(): void {
    this.#requests.abort();
    this.#requests = new AbortController();
  }

  /** Sends the input and the result of the tool, also when they arrive later. */
  #sendToolData(): void {
    const { arguments: input, result } = this.app;
    if (input) this.#notify('tool-input', { arguments: input });
    if (result !== undefined) this.#notify('tool-result', Object(result) as object);
  }

  #sendContext(): void {
    if (this.#isReady) this.#notify('host-context-changed', this.#hostContext());
  }

  /** Unchanged values are not sent again. */
  #notify(name: string, params: object): void {
    const text = JSON.stringify(params);
    if (!this.#isReady || this.#sent.get(name) === text) return;
    this.#sent.set(name, text);
    this.#send?.(rpcNotification(`ui/notifications/${name}`, params));
  }

  /**
   * As a modal dialog, the app fills the window without moving in the document: a moved frame would restart. What it covers can't get
   * the focus. In its place it is in the same dialog, which is not modal then.
   */
  #setFull(full: boolean): void {
    const dialog = this.#dialog;
    if (this.full === full || !dialog) return;
    this.full = full;
    dialog.close();
    // A dialog that has been removed from the document can't be modal.
    if (full && dialog.isConnected) dialog.showModal();
    else dialog.setAttribute('open', '');
    void this.updateComplete.then(() => {
      dialog.querySelector<HTMLElement>(':scope > .app-full')?.focus({ preventScroll: true });
    });
    this.#sendContext();
  }

  /** Escape, also in the frame, which could pretend it. */
  readonly #leave = (event: Event): void => {
    event.preventDefault();
    this.#uncover();
  };

  /** Ends fullscreen without a press of the user. Presses are ignored for a moment, because the page is now under the pointer. */
  #uncover(): void {
    if (this.full) ignorePresses(window, () => true);
    this.#setFull(false);
  }

  #hostContext(): object {
    return hostContext(this.#dialog ?? this, { locale: this.context.settings.localize.locale, full: this.full });
  }

  #initializeResult(): object {
    const context = this.#hostContext();
    this.#sent.set('host-context-changed', JSON.stringify(context));
    return {
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: { name: 'agent-chat', version: '1' },
      hostCapabilities: {
        openLinks: {},
        message: { text: {} },
        updateModelContext: { text: {}, structuredContent: {} },
        ...(this.#connection && { serverTools: {}, serverResources: {} }),
      },
      hostContext: context,
    };
  }
}

const tooMany = (id: RequestId): object =>
  appRpcError(id, 'The app has made too many requests. It may try again in a minute.');
