/** All public properties and attributes of `<agent-chat>`. */
import type { PropertyDeclarations } from 'lit';
import { isPageAgent } from '../../agents/is-page-agent.ts';
import { agents as registeredAgents } from '../../agents/registry.ts';
import { parseUrl } from '../../parse-url.ts';
import { pageBase } from '../../runtime/page-base.ts';
import type { ClientTool } from '../../agents/tools.ts';
import type { stillNamed } from '../../runtime/tools/discovered-agents.ts';
import type { Strings } from '../../locales/en.ts';
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { AgentDescriptor, BaseAgent } from '../../model/agent.ts';
import type { Adapter } from '../../protocols/core/adapter.ts';
import type { ProtocolMapping } from '../../protocols/mapping/map-protocol.ts';
import type { McpRequest } from '../../renderers/core/renderer.ts';
import { RendererRegistry } from '../../renderers/core/registry.ts';
import type { Upload } from '../../runtime/attachments/attachments.ts';
import type { Limits } from '../../runtime/limits.ts';
import type { PageHeaders } from '../../runtime/plain-headers.ts';
import type { Redact } from '../../runtime/masking/redact-for-sending.ts';
import type { StorageSettings } from '../../storage/stores/conversation-store.ts';
import type { PersistenceSettings } from '../../storage/settings/storage-settings.ts';
import type { ChatSettings, OutgoingRequest, Poll, Provided } from '../../runtime/chat-settings.ts';
import { THEMES } from '../../theme/themes.ts';
import {
  integerProperty,
  booleanProperty,
  jsonProperty,
  validEnumValue,
  enumProperty,
  scriptProperty,
  stringProperty,
} from '../shared/attribute-converters.ts';
import type { Participants } from '../shared/contexts.ts';
import { DEMO_ENDPOINT, demoSettings } from './demo-mode.ts';
import type { Starter } from '../transcript/empty-state.ts';
import type { LauncherSettings, ModelOption, AutocompleteSource } from './setting-types.ts';
import type { LoadHistory } from '../transcript/load-older-messages.ts';
import type { MessageAction } from '../shared/custom-actions.ts';
import { LayeredElement } from './layered-settings.ts';
import { validSetting } from './validate-types.ts';

export const MODES = ['inline', 'floating', 'sidebar', 'fullscreen'] as const;
export type Mode = (typeof MODES)[number];
export const DETAIL_VISIBILITIES = ['collapsed', 'open', 'hidden'] as const;
export const SUBMIT_KEYS = ['auto', 'enter', 'mod-enter'] as const;
export const ARTIFACTS = ['frame', 'source'] as const;
export const SCROLL_ANCHORS = ['end', 'turn'] as const;
export const MATH = ['off', 'on'] as const;
export const PLACEMENTS = ['end', 'start'] as const;
const SCHEMES = ['auto', 'light', 'dark'] as const;
const DENSITIES = ['comfortable', 'compact'] as const;
const CREDENTIALS = ['same-origin', 'omit', 'include'] as const;
const VOICES = ['', 'input', 'output', 'both'] as const;
const PERSISTS = ['', 'none', 'session', 'local'] as const;
const FEEDBACKS = ['', 'thumbs', 'comment'] as const;
const RETRIES = ['', 'auto', 'safe', 'off'] as const;

/** Controls that change a conversation; `readonly` and `disabled` omit them. */
const EDIT_CONTROLS = ['delete', 'edit', 'quote', 'regenerate'] as const;

type OneOf<Values extends readonly string[]> = Values[number];

/** Properties that stylesheets select by attribute are reflected. */
const REFLECTED = true;

/** Declares the settings as properties with their attributes. `AgentChat` implements their behaviour. */
export class AgentChatSettings extends LayeredElement {
  static override properties: PropertyDeclarations = {
    endpoint: stringProperty('endpoint'),
    protocol: stringProperty('protocol'),
    headers: scriptProperty,
    body: scriptProperty,
    context: scriptProperty,
    fetch: scriptProperty,
    transformRequest: scriptProperty,
    transformEvent: scriptProperty,
    credentials: enumProperty('credentials', CREDENTIALS),
    model: stringProperty('model'),
    system: stringProperty('system'),
    agents: scriptProperty,
    agent: stringProperty('agent'),
    tools: scriptProperty,
    pageTools: stringProperty('page-tools'),
    maxToolRounds: integerProperty('max-tool-rounds', 1),
    poll: scriptProperty,
    retry: enumProperty('retry', RETRIES),
    threadId: stringProperty('thread-id'),
    persist: enumProperty('persist', PERSISTS),
    storage: scriptProperty,
    redact: scriptProperty,
    limits: scriptProperty,
    mode: enumProperty('mode', MODES, REFLECTED),
    open: booleanProperty('open', REFLECTED),
    placement: enumProperty('placement', PLACEMENTS, REFLECTED),
    launcher: scriptProperty,
    heading: stringProperty('heading'),
    placeholder: stringProperty('placeholder'),
    greeting: stringProperty('greeting'),
    teaser: stringProperty('teaser'),
    disclaimer: stringProperty('disclaimer'),
    consent: stringProperty('consent'),
    participants: scriptProperty,
    suggestions: jsonProperty('suggestions'),
    colorScheme: enumProperty('color-scheme', SCHEMES, REFLECTED),
    theme: enumProperty('theme', THEMES, REFLECTED),
    density: enumProperty('density', DENSITIES, REFLECTED),
    locale: stringProperty('locale'),
    strings: scriptProperty,
    keepAlive: booleanProperty('keep-alive'),
    showReasoning: enumProperty('show-reasoning', DETAIL_VISIBILITIES),
    showTools: enumProperty('show-tools', DETAIL_VISIBILITIES),
    scrollAnchor: enumProperty('scroll-anchor', SCROLL_ANCHORS),
    submitKey: enumProperty('submit-key', SUBMIT_KEYS),
    attachments: stringProperty('attachments'),
    upload: scriptProperty,
    voice: enumProperty('voice', VOICES),
    models: scriptProperty,
    commands: scriptProperty,
    mentions: scriptProperty,
    feedback: enumProperty('feedback', FEEDBACKS),
    without: stringProperty('without'),
    messageActions: scriptProperty,
    artifacts: enumProperty('artifacts', ARTIFACTS),
    mcp: scriptProperty,
    math: enumProperty('math', MATH),
    imageHosts: stringProperty('image-hosts'),
    linkHosts: stringProperty('link-hosts'),
    disabled: booleanProperty('disabled'),
    readonly: booleanProperty('readonly'),
    autofocus: booleanProperty('autofocus'),
    demo: booleanProperty('demo'),
    debug: booleanProperty('debug'),
    loadHistory: scriptProperty,
    renderers: scriptProperty,
  };

  static {
    this.defineSettings(Object.keys(this.properties));
  }

  /** URL of the agent: absolute (`https`, `wss`), or relative to the address that the page has when it first sets the URL. */
  declare endpoint: string | undefined;
  /**
   * The protocol of the endpoint: the id of an adapter, an adapter, or a mapping (see `defineProtocol`). Default `auto`: the protocol
   * is detected from the URL, the response and its first frames.
   */
  declare protocol: string | Adapter | ProtocolMapping | undefined;
  /** Headers of every request. A function is called before each request, and once more after a 401. */
  declare headers: Provided<PageHeaders> | undefined;
  /** Fields that are merged into the request body of the protocol, or a function that returns them. */
  declare body: Provided<Readonly<Record<string, unknown>>> | undefined;
  /** Context of the page for the agent, or a function that returns it. */
  declare context: unknown;
  /** Replaces the global `fetch` for requests of the widget. */
  declare fetch: typeof fetch | undefined;
  /** Called with every request before it is sent; returns the request to send. */
  declare transformRequest: ((request: OutgoingRequest) => OutgoingRequest | Promise<OutgoingRequest>) | undefined;
  /**
   * Called with every event that is received from an agent, also one in the page; returns one or more events, or `null` to drop it. Events
   * of the widget itself, such as results of client tools, are not passed to it.
   */
  declare transformEvent: ((event: LLMAgentEvent) => LLMAgentEvent | readonly LLMAgentEvent[] | null) | undefined;
  /** Whether requests include cookies, as in `fetch`. Default `same-origin`. */
  declare credentials: OneOf<typeof CREDENTIALS>;
  /** The id of the model, for protocols that support it. */
  declare model: string | undefined;
  /** The system prompt, for protocols that support it. */
  declare system: string | undefined;
  /**
   * The agents that the user can choose from. An agent that runs in the page needs no endpoint. Default without an `endpoint`: the
   * agents in `AgentChat.agents`.
   */
  declare agents: readonly (BaseAgent | AgentDescriptor)[] | undefined;
  /** The id of the selected agent. */
  declare agent: string | undefined;
  /** Client tools: tools that run in the page. */
  declare tools: readonly ClientTool[] | undefined;
  /** WebMCP tools of the page that the agent may call: their names, or `*` for all. The user approves each call. */
  declare pageTools: string | undefined;
  /**
   * Number of tool rounds without an answer of the user before the user is asked whether to continue: of client tools, and of
   * server tools that are always allowed. An answer starts the count again. Default 8.
   */
  declare maxToolRounds: number | undefined;
  /** Polling, for environments that block streaming. */
  declare poll: Poll | undefined;
  /** Which failed requests are retried automatically: `auto`, `safe` or `off`. Default: `auto` for model APIs, `safe` for agents. */
  declare retry: OneOf<typeof RETRIES> | undefined;
  /** The id of the active conversation. */
  declare threadId: string | undefined;
  /**
   * Where conversations are stored: `none`, `session` (this tab, across page loads) or `local` (IndexedDB, shared by all tabs).
   * Default: `none` with `mode="inline"` and no custom store, otherwise `session`.
   */
  declare persist: OneOf<typeof PERSISTS> | undefined;
  /** The user, the retention time and the custom store of stored conversations. */
  declare storage: StorageSettings | undefined;
  /** Redacts the user's text before it is sent, and all text before it is stored. */
  declare redact: Redact | undefined;
  /** Overrides of the default limits. */
  declare limits: Partial<Limits> | undefined;
  /** The layout: `inline` fills the element's box; `floating`, `sidebar` and `fullscreen` lie over the page. Default `inline`. */
  declare mode: OneOf<typeof MODES>;
  /** Whether the panel of a floating or sidebar widget is open. Default `false`. */
  declare open: boolean;
  /** The side of the window for a floating or sidebar widget: `end` (default) or `start`. */
  declare placement: OneOf<typeof PLACEMENTS>;
  /** The icon of the launcher, and when it shows the teaser or opens the panel. */
  declare launcher: LauncherSettings | undefined;
  /** The name in the header. */
  declare heading: string | undefined;
  /** The placeholder of the composer. */
  declare placeholder: string | undefined;
  /** The greeting in an empty conversation; never sent. */
  declare greeting: string | undefined;
  /** A short invitation next to the launcher. */
  declare teaser: string | undefined;
  /** A line of text below the composer. */
  declare disclaimer: string | undefined;
  /** Terms in Markdown that the user accepts before anything is sent. A changed text must be accepted again. */
  declare consent: string | undefined;
  /** Names and avatars of the participants. */
  declare participants: Participants | undefined;
  /** Suggested prompts in an empty conversation. */
  declare suggestions: readonly Starter[] | undefined;
  /** The colour scheme. Default `auto`: follows the colour scheme of the page. */
  declare colorScheme: OneOf<typeof SCHEMES>;
  /** Name of a built-in theme: `messenger`, `editorial`, `terminal` or `support`. Default: none. */
  declare theme: OneOf<typeof THEMES> | undefined;
  /** The spacing: `comfortable` (default) or `compact`. */
  declare density: OneOf<typeof DENSITIES>;
  /** The UI language (BCP 47). Default: the nearest `lang` attribute, then the browser's languages, then English. */
  declare locale: string | undefined;
  /** Overrides of UI texts. */
  declare strings: Strings | undefined;
  /** Whether a running reply continues while the element is removed from the document. Default `false`: it stops two seconds later. */
  declare keepAlive: boolean;
  /** How reasoning is shown. Default `collapsed`. */
  declare showReasoning: OneOf<typeof DETAIL_VISIBILITIES> | undefined;
  /** How tool calls are shown. Default `collapsed`; errors are never hidden. */
  declare showTools: OneOf<typeof DETAIL_VISIBILITIES> | undefined;
  /** What stays visible during streaming: the `end` of the answer (default), or the user's `turn` at the top of the view. */
  declare scrollAnchor: OneOf<typeof SCROLL_ANCHORS>;
  /** The key that sends: `enter` or `mod-enter` (Ctrl or ⌘). Default `auto`: `enter`, but `mod-enter` on touch devices. */
  declare submitKey: OneOf<typeof SUBMIT_KEYS>;
  /** File types that may be attached, as in `<input accept>`, such as `image/*,.pdf`; `*` for all. Default: none. */
  declare attachments: string | undefined;
  /** Uploads a file to the page's own storage. Without it files are sent inline, if the protocol supports that. */
  declare upload: Upload | undefined;
  /** Voice features: `input` (dictation), `output` (read aloud) or `both`, if the browser supports them. Default: none. */
  declare voice: OneOf<typeof VOICES> | undefined;
  /** The models that the user can choose from; `model` is the selected one. */
  declare models: readonly ModelOption[] | undefined;
  /** Commands that `/` at the start of the text suggests: a list, or a search function. */
  declare commands: AutocompleteSource | undefined;
  /** Mentions that `@` suggests: a list, or a search function. */
  declare mentions: AutocompleteSource | undefined;
  /** Rating of answers: `thumbs`, or `comment` for thumbs with a comment. Default: none. */
  declare feedback: OneOf<typeof FEEDBACKS> | undefined;
  /** Built-in controls to omit, separated by spaces: `header threads copy export delete edit quote regenerate`. */
  declare without: string | undefined;
  /** Additional actions of messages; each fires `agent-chat-action` with its `id`. */
  declare messageActions: readonly MessageAction[] | undefined;
  /** Whether artifacts run in a sandboxed `frame` (default) or are shown as `source`. */
  declare artifacts: OneOf<typeof ARTIFACTS>;
  /** Performs the requests of MCP Apps at their servers. Without it, only apps whose agent passes requests on can make any. */
  declare mcp: McpRequest | undefined;
  /** `on` renders formulas between dollar signs or TeX delimiters. Default `off`. */
  declare math: OneOf<typeof MATH>;
  /** Hosts whose images load immediately, separated by spaces. Default: none. */
  declare imageHosts: string | undefined;
  /** Hosts whose links open without a confirmation. Default `*`. */
  declare linkHosts: string | undefined;
  /** Whether all input is disabled. Default `false`. */
  declare disabled: boolean;
  /** Whether the conversation can be read, but not continued or changed. Default `false`. */
  declare readonly: boolean;
  /** Whether the composer is focused after the first render. Default `false`. */
  declare autofocus: boolean;
  /** Replaces the endpoint with a scripted demo agent in the page. Nothing is sent. Default `false`. */
  declare demo: boolean;
  /** Shows the stream inspector for developers. Default `false`. */
  declare debug: boolean;
  /** Loads older messages. Called when the user scrolls to the top, with the id of the oldest message; without an id it returns the latest. */
  declare loadHistory: LoadHistory | undefined;
  /** Renderers of this element; they take precedence over `AgentChat.renderers`. */
  declare renderers: RendererRegistry;

  constructor() {
    super();
    // The defaults are in the lowest layer, so that any setting of the page wins.
    this.writeAs('config', () => {
      Object.assign(this, {
        credentials: 'same-origin',
        mode: 'inline',
        open: false,
        placement: 'end',
        colorScheme: 'auto',
        density: 'comfortable',
        keepAlive: false,
        scrollAnchor: 'end',
        submitKey: 'auto',
        artifacts: 'frame',
        math: 'off',
        disabled: false,
        readonly: false,
        autofocus: false,
        demo: false,
        debug: false,
        renderers: new RendererRegistry(),
      });
    });
  }

  /** @internal */
  protected override validateSetting(name: string, value: unknown): unknown {
    return validSetting(name, value);
  }

  /** The agents that the user can choose from. With an `endpoint` or `demo`, registered agents are not offered. @internal */
  get offeredAgents(): readonly (BaseAgent | AgentDescriptor)[] | undefined {
    const agents = this.agents ?? (this.endpoint || this.demo ? undefined : registeredAgents.list());
    return this.#withAddresses(this.stillNamed?.(agents, this.endpoint) ?? agents);
  }

  /** Removes the discovered agents that the page no longer names. It is loaded with the first discovery. */
  declare protected stillNamed: typeof stillNamed | undefined;

  readonly #addresses = new Map<string, string | undefined>();
  /** The same list for the same list. */
  readonly #lists = new WeakMap<object, NonNullable<AgentChatSettings['agents']>>();

  /** An endpoint, relative to the address that the page had when it first set it: a router may have changed that address since. */
  #addressOf(endpoint: string): string {
    if (/^\/|^[a-z]+:/i.test(endpoint)) return endpoint;
    if (!this.#addresses.has(endpoint)) this.#addresses.set(endpoint, parseUrl(endpoint, pageBase())?.href);
    return this.#addresses.get(endpoint) ?? endpoint;
  }

  get #endpointAddress(): string | undefined {
    return this.endpoint ? this.#addressOf(this.endpoint) : (this.endpoint ?? undefined);
  }

  #withAddresses(agents: AgentChatSettings['agents']): AgentChatSettings['agents'] {
    if (!agents) return agents;
    const list =
      this.#lists.get(agents) ??
      agents.map((agent) => {
        if (isPageAgent(agent) || !agent.endpoint) return agent;
        const endpoint = this.#addressOf(agent.endpoint);
        return endpoint === agent.endpoint ? agent : { ...agent, endpoint };
      });
    this.#lists.set(agents, list);
    return list;
  }

  /** The current settings for the runtime. */
  protected chatSettings(): ChatSettings {
    const { showReasoning, showTools } = this;
    const settings: ChatSettings = {
      endpoint: this.#endpointAddress,
      protocol: this.protocol ?? undefined,
      headers: this.headers,
      body: this.body,
      context: this.context,
      fetch: this.fetch,
      transformRequest: this.transformRequest,
      transformEvent: this.transformEvent,
      credentials: validEnumValue('credentials', this.credentials, CREDENTIALS),
      model: this.model ?? undefined,
      system: this.system ?? undefined,
      agents: this.offeredAgents,
      agent: this.agent ?? undefined,
      tools: this.tools ?? undefined,
      pageTools: this.pageTools ?? undefined,
      maxToolRounds: this.maxToolRounds,
      poll: this.poll,
      retry: this.retry ? this.retry : undefined,
      threadId: this.threadId ?? undefined,
      redact: this.redact ?? undefined,
      limits: this.limits ?? undefined,
      show: {
        ...(showReasoning !== undefined && { reasoning: showReasoning !== 'hidden' }),
        ...(showTools !== undefined && { tools: showTools !== 'hidden' }),
      },
    };
    return this.demo ? demoSettings(settings) : settings;
  }

  /** The current settings for the storage. */
  protected storageSettings(): PersistenceSettings {
    const storage = this.storage ?? undefined;
    // A page that provides a store wants it used.
    const defaultPersist = this.mode === 'inline' && !storage?.store ? 'none' : 'session';
    return {
      persist: validEnumValue('persist', this.persist, PERSISTS) || defaultPersist,
      endpoint: this.demo ? DEMO_ENDPOINT : this.#endpointAddress,
      agents: this.#withAddresses(this.agents),
      storage,
      threadId: this.threadId ?? undefined,
      redact: this.redact ?? undefined,
    };
  }

  /** Whether conversations are stored. */
  protected get isPersistent(): boolean {
    return this.storageSettings().persist !== 'none';
  }

  /** Whether the user can't continue or change the conversation. The page itself still can, by the element's methods. */
  protected get isLocked(): boolean {
    return this.disabled || this.readonly;
  }

  /** The kind of rating that answers offer; undefined for none. */
  protected get rating(): 'thumbs' | 'comment' | undefined {
    return this.isLocked ? undefined : validEnumValue('feedback', this.feedback, FEEDBACKS) || undefined;
  }

  /** Names of the controls to omit. */
  protected get omittedControls(): ReadonlySet<string> {
    const names = (this.without ?? '').split(/\s+/).filter((name) => name !== '');
    return new Set(this.isLocked ? [...names, ...EDIT_CONTROLS] : names);
  }
}
