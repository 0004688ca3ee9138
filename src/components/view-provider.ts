/** What the messages are drawn with: gathered from the settings, and given to all that draws. */
import type { PropertyValues, ReactiveController, ReactiveElement } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { icons } from '../primitives/icon-set.ts';
import { renderers, type RendererRegistry } from '../renderers/registry.ts';
import type { ViewSettings } from '../renderers/renderer.ts';
import { ARTIFACTS, MATH, SHOWN, type AgentChatSettings } from './agent-chat-settings.ts';
import { known } from './attributes.ts';
import { viewContext, type View } from './contexts.ts';
import type { Keeping } from './keeping.ts';
import { usableActions, usableRenderers } from './page-input.ts';
import { QuietProvider } from './quiet-provider.ts';
import { redraw } from './redraw.ts';

/** What the view depends on. */
const SETTINGS = [
  'showReasoning',
  'showTools',
  'imageHosts',
  'artifacts',
  'math',
  'voice',
  'limits',
  'renderers',
  'without',
  'readonly',
  'messageActions',
  'feedback',
  'agents',
  'participants',
  'heading',
] as const;

export interface ViewHost extends ReactiveElement, Pick<AgentChatSettings, (typeof SETTINGS)[number]> {
  readonly messages: readonly ChatMessage[];
}

/** What of the widget the view has to do with. */
export interface ViewParts {
  localize(): Localize;
  readonly keeping: Keeping;
  /** The controls to leave out. */
  without(): ReadonlySet<string>;
  /** How answers can be rated, if they can. */
  rating(): View['feedback'];
}

export class ViewProvider implements ReactiveController {
  readonly #host: ViewHost;
  readonly #parts: ViewParts;
  readonly #provider: QuietProvider<View>;
  #view: View | undefined;
  #heard: readonly RendererRegistry[] = [];
  /** Counted once for each list of messages: what is drawn is drawn for other reasons too. */
  #speakers: { readonly messages: readonly ChatMessage[]; readonly several: boolean } = {
    messages: [],
    several: false,
  };

  constructor(host: ViewHost, parts: ViewParts) {
    this.#host = host;
    this.#parts = parts;
    this.#provider = new QuietProvider<View>(host, { context: viewContext });
    host.addController(this);
  }

  /** Undefined before the first drawing. */
  get settings(): ViewSettings | undefined {
    return this.#view?.settings;
  }

  hostConnected(): void {
    icons.addEventListener('change', this.#iconsChanged);
    this.#hear(this.#registries);
  }

  hostDisconnected(): void {
    icons.removeEventListener('change', this.#iconsChanged);
    this.#hear([]);
  }

  /** Before a drawing. The same view stays as long as nothing in it has changed. */
  update(changes: PropertyValues): void {
    if (changes.has('renderers') && this.#host.isConnected) this.#hear(this.#registries);
    const isOld = changes.has('localize') || SETTINGS.some((name) => changes.has(name));
    if (!this.#view || isOld || this.#view.named !== this.#named) this.#set();
  }

  #set(): void {
    const host = this.#host;
    const { keeping, without, rating } = this.#parts;
    const localize = this.#parts.localize();
    this.#view = {
      settings: {
        localize,
        agentName: host.participants?.assistant?.name ?? host.heading ?? localize('agent'),
        showReasoning: known('showReasoning', host.showReasoning, SHOWN),
        showTools: known('showTools', host.showTools, SHOWN),
        imageHosts: host.imageHosts ?? '',
        readAloud: host.voice === 'output' || host.voice === 'both',
        artifacts: known('artifacts', host.artifacts, ARTIFACTS),
        math: known('math', host.math, MATH) === 'on',
        limits: keeping.chat.limits,
      },
      registries: this.#registries,
      without: without(),
      named: this.#named,
      participants: host.participants ?? {},
      feedback: rating(),
      agents: host.agents ?? [],
      actions: usableActions(host.messageActions),
    };
    this.#provider.setValue(this.#view);
  }

  /** Several agents speak here. */
  get #named(): boolean {
    const { messages, agents } = this.#host;
    if (this.#speakers.messages !== messages) {
      const first = messages.find(({ name }) => name !== undefined)?.name;
      const several = first !== undefined && messages.some(({ name }) => name !== undefined && name !== first);
      this.#speakers = { messages, several };
    }
    return this.#speakers.several || (agents?.length ?? 0) > 1;
  }

  /** The element's own first. */
  get #registries(): readonly RendererRegistry[] {
    const own = usableRenderers(this.#host.renderers);
    return own ? [own, renderers] : [renderers];
  }

  /** A page may register a renderer for what is on show. */
  #hear(registries: readonly RendererRegistry[]): void {
    for (const registry of this.#heard) registry.removeEventListener('change', this.#drawAnew);
    for (const registry of registries) registry.addEventListener('change', this.#drawAnew);
    this.#heard = registries;
  }

  readonly #drawAnew = (): void => {
    if (this.#view) this.#set();
  };

  readonly #iconsChanged = (): void => {
    this.#drawAnew();
    this.#host.requestUpdate();
    redraw(this.#host.renderRoot);
  };
}
