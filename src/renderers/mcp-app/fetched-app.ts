import { html, type PropertyValues, type TemplateResult } from 'lit';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { inSentence } from '../core/in-sentence.ts';
import type { RenderContext } from '../core/renderer.ts';
import { connectionOf, mayRequest } from './app-connection.ts';
import { appName, isSameResource, toFetchedApp, type McpApp, type McpAppReference } from './read-resource.ts';

/** An MCP App of which the agent sent only the address: its HTML is read from the server. */
export class AgentChatFetchedApp extends LightElement {
  static override properties = {
    reference: { attribute: false },
    context: { attribute: false },
    app: { state: true },
    failed: { state: true },
  };
  declare reference: McpAppReference;
  declare context: RenderContext;
  declare protected app: McpApp | undefined;
  declare protected failed: boolean;
  /** The running request, or one that was aborted because the element was removed. */
  #reading: AbortController | undefined;

  constructor() {
    super();
    this.failed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#reading?.signal.aborted) this.#fetch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading?.abort();
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    const before = changes.get('reference');
    if (changes.has('reference') && (!before || !isSameResource(before, this.reference))) this.#fetch();
  }

  protected override render(): TemplateResult {
    const { app, reference, context } = this;
    // The tool's arguments and result may arrive later than the HTML.
    if (app) return html`<agent-chat-app .app=${{ ...app, ...reference }} .context=${context}></agent-chat-app>`;
    if (!this.failed) return html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;
    const { localize } = context.settings;
    const name = inSentence(withoutInvisible(appName(reference)));
    return html`<section class="notice" role="group">
      <div class="grow">
        ${localize('app.failed', { name })}
        <div class="actions">
          <button type="button" class="button plain" @click=${this.#retry}>${localize('error.retry')}</button>
        </div>
      </div>
    </section>`;
  }

  readonly #retry = (): void => {
    this.#fetch(false);
  };

  /** @param isAutomatic - false if the user has pressed “Try again” */
  #fetch(isAutomatic = true): void {
    const { reference, context } = this;
    this.#reading?.abort();
    const reading = new AbortController();
    const { signal } = reading;
    this.#reading = reading;
    this.app = undefined;
    this.failed = isAutomatic && !mayRequest(this);
    if (this.failed) return;
    const request = { method: 'resources/read', params: { uri: reference.uri } } as const;
    void Promise.resolve(connectionOf(reference, context)?.(request, { isAutomatic, signal }))
      .catch(() => undefined)
      .then((answer) => {
        if (signal.aborted) return;
        this.#reading = undefined;
        this.app = toFetchedApp(this.reference, answer);
        this.failed = !this.app;
      });
  }
}
