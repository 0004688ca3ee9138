import { html, type PropertyValues, type TemplateResult } from 'lit';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { inSentence } from '../core/in-sentence.ts';
import type { RenderContext } from '../core/renderer.ts';
import { appName, isSameResource, toFetchedApp, type McpApp, type McpAppReference } from './read-resource.ts';

/** An MCP App that the agent only names: its page is read from the server by the `mcp` function of the host page. */
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

  constructor() {
    super();
    this.failed = false;
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    const before = changes.get('reference');
    if (changes.has('reference') && (!before || !isSameResource(before, this.reference))) this.#fetch();
  }

  protected override render(): TemplateResult {
    const { app, reference, context } = this;
    // The tool's arguments and result may arrive later than the page.
    if (app) return html`<agent-chat-app .app=${{ ...app, ...reference }} .context=${context}></agent-chat-app>`;
    if (!this.failed) return html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;
    const { localize } = context.settings;
    const name = inSentence(withoutInvisible(appName(reference)));
    return html`<section class="notice" role="group">
      <div class="grow">
        ${localize('app.failed', { name })}
        <div class="actions">
          <button type="button" class="button plain" @click=${this.#fetch}>${localize('error.retry')}</button>
        </div>
      </div>
    </section>`;
  }

  readonly #fetch = (): void => {
    const { reference } = this;
    const { uri, server } = reference;
    this.app = undefined;
    this.failed = false;
    void Promise.resolve()
      .then(() =>
        this.context.settings.mcp?.({ method: 'resources/read', params: { uri }, uri, ...(server && { server }) }),
      )
      .catch(() => undefined)
      .then((answer) => {
        if (!isSameResource(reference, this.reference)) return;
        this.app = toFetchedApp(this.reference, answer);
        this.failed = !this.app;
      });
  };
}
