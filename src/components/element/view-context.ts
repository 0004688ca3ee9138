/** Collects the view settings and provides them to all rendering components as a Lit context. */
import type { PropertyValues, ReactiveController, ReactiveElement } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { icons } from '../../primitives/custom-icons.ts';
import { renderers, type RendererRegistry } from '../../renderers/core/registry.ts';
import type { ViewSettings } from '../../renderers/core/renderer.ts';
import type { ReportBlocked } from '../../safety/blocked.ts';
import {
  ARTIFACTS,
  MATH,
  DETAIL_VISIBILITIES,
  SUBMIT_KEYS,
  type AgentChatSettings,
} from '../settings/agent-chat-properties.ts';
import { validEnumValue } from '../shared/attribute-converters.ts';
import { viewContext, type ChatView } from '../shared/contexts.ts';
import type { ConversationsController } from '../shared/conversations-controller.ts';
import { usableActions, usableRenderers } from '../settings/validate-items.ts';
import { SilentContextProvider } from '../shared/silent-context-provider.ts';
import { requestUpdateAll } from './request-update-all.ts';

/** Settings that the view is built from, also by `offeredAgents`. */
const SETTINGS = [
  'showReasoning',
  'showTools',
  'imageHosts',
  'artifacts',
  'mcp',
  'math',
  'voice',
  'limits',
  'renderers',
  'without',
  'readonly',
  'disabled',
  'messageActions',
  'feedback',
  'agents',
  'participants',
  'heading',
  'submitKey',
] as const;

export interface ViewHost
  extends ReactiveElement, Pick<AgentChatSettings, (typeof SETTINGS)[number] | 'offeredAgents'> {
  readonly messages: readonly ChatMessage[];
}

/** Dependencies of the view provider. */
export interface ViewDependencies {
  localize(): Localize;
  readonly conversations: ConversationsController;
  /** Receives content that the safety policy blocked. */
  readonly report: ReportBlocked;
  /** Names of the controls to omit. */
  without(): ReadonlySet<string>;
  /** Whether the user can't continue or change the conversation (`disabled` or `readonly`). */
  isLocked(): boolean;
  /** The kind of rating that answers offer; undefined for none. */
  rating(): ChatView['feedback'];
}

export class ViewContextController implements ReactiveController {
  readonly #host: ViewHost;
  readonly #parts: ViewDependencies;
  readonly #provider: SilentContextProvider<ChatView>;
  #view: ChatView | undefined;
  #subscribed: readonly RendererRegistry[] = [];

  constructor(host: ViewHost, parts: ViewDependencies) {
    this.#host = host;
    this.#parts = parts;
    this.#provider = new SilentContextProvider<ChatView>(host, { context: viewContext });
    host.addController(this);
  }

  /** Undefined before the first render. */
  get settings(): ViewSettings | undefined {
    return this.#view?.settings;
  }

  hostConnected(): void {
    icons.addEventListener('change', this.#iconsChanged);
    this.#subscribe(this.#registries);
  }

  hostDisconnected(): void {
    icons.removeEventListener('change', this.#iconsChanged);
    this.#subscribe([]);
  }

  /** Called before each render. The view object is replaced only if something in it has changed. */
  update(changes: PropertyValues): void {
    if (changes.has('renderers') && this.#host.isConnected) this.#subscribe(this.#registries);
    const isStale = changes.has('localize') || SETTINGS.some((name) => changes.has(name));
    if (!this.#view || isStale || this.#view.showsNames !== this.#showsNames) this.#build();
  }

  #build(): void {
    const host = this.#host;
    const { conversations, report, without, isLocked, rating } = this.#parts;
    const localize = this.#parts.localize();
    this.#view = {
      settings: {
        localize,
        agents: host.offeredAgents ?? [],
        userName: host.participants?.user?.name,
        agentName: host.participants?.assistant?.name ?? host.heading ?? localize('agent'),
        showReasoning: validEnumValue('showReasoning', host.showReasoning, DETAIL_VISIBILITIES),
        showTools: validEnumValue('showTools', host.showTools, DETAIL_VISIBILITIES),
        imageHosts: host.imageHosts ?? '',
        report,
        isLocked: isLocked(),
        readAloud: host.voice === 'output' || host.voice === 'both',
        artifacts: validEnumValue('artifacts', host.artifacts, ARTIFACTS),
        mcp: host.mcp,
        math: validEnumValue('math', host.math, MATH) === 'on',
        limits: conversations.chat.limits,
      },
      registries: this.#registries,
      without: without(),
      showsNames: this.#showsNames,
      participants: host.participants ?? {},
      feedback: rating(),
      submitKey: validEnumValue('submitKey', host.submitKey, SUBMIT_KEYS),
      agents: host.offeredAgents ?? [],
      actions: usableActions(host.messageActions),
    };
    this.#provider.setValue(this.#view);
  }

  /** Whether there are several agents to choose from or in the messages, so that each message shows a name. */
  get #showsNames(): boolean {
    const { messages, offeredAgents: agents } = this.#host;
    const first = messages.find(({ name }) => name)?.name;
    return (agents?.length ?? 0) > 1 || messages.some(({ name }) => name && name !== first);
  }

  /** The element's own registry comes first. */
  get #registries(): readonly RendererRegistry[] {
    const own = usableRenderers(this.#host.renderers);
    return own ? [own, renderers] : [renderers];
  }

  /** A page may register a renderer for content that is already visible. */
  #subscribe(registries: readonly RendererRegistry[]): void {
    for (const registry of this.#subscribed) registry.removeEventListener('change', this.#rebuild);
    for (const registry of registries) registry.addEventListener('change', this.#rebuild);
    this.#subscribed = registries;
  }

  readonly #rebuild = (): void => {
    if (this.#view) this.#build();
  };

  readonly #iconsChanged = (): void => {
    this.#rebuild();
    this.#host.requestUpdate();
    requestUpdateAll(this.#host.renderRoot);
  };
}
