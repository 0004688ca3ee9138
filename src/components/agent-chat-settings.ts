/** Everything that a page can set on the element. Source: the contract, section 2. */
import type { PropertyDeclarations } from 'lit';
import type { ClientTool } from '../agents/tools.ts';
import type { Strings } from '../locales/en.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { Adapter } from '../protocols/adapter.ts';
import type { ProtocolMapping } from '../protocols/map-protocol.ts';
import { RendererRegistry } from '../renderers/registry.ts';
import type { Upload } from '../runtime/attachments/attachments.ts';
import type { Limits } from '../runtime/limits.ts';
import type { Redact, StorageSettings } from '../runtime/keeping/conversation-store.ts';
import type { KeepSettings } from '../runtime/keeping/keep-settings.ts';
import type { ChatSettings, OutgoingRequest, Poll, Provided } from '../runtime/settings.ts';
import { THEMES } from '../theme/themes.ts';
import { count, flag, json, known, oneOf, property, word } from './attributes.ts';
import type { Offers } from './composer-menu.ts';
import type { Participants } from './contexts.ts';
import { DEMO, demoSettings } from './demo.ts';
import type { Starter } from './empty.ts';
import type { ModelOption } from './model-picker.ts';
import type { LoadHistory } from './history.ts';
import type { LauncherSettings } from './launcher.ts';
import type { MessageAction } from './message-actions.ts';
import { LayeredElement } from './layered-element.ts';

export const MODES = ['inline', 'floating', 'sidebar', 'fullscreen'] as const;
export type Mode = (typeof MODES)[number];
export const SHOWN = ['collapsed', 'open', 'hidden'] as const;
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

/** What goes on with a conversation, or changes it. */
const CHANGING = ['delete', 'edit', 'quote', 'regenerate'] as const;

type OneOf<Values extends readonly string[]> = Values[number];

/** Those that the sheets look at are reflected. */
const REFLECTED = true;

/** The settings, as properties with their attributes. What they do is in `AgentChat`. */
export class AgentChatSettings extends LayeredElement {
  static override properties: PropertyDeclarations = {
    endpoint: word('endpoint'),
    protocol: word('protocol'),
    headers: property,
    body: property,
    context: property,
    fetch: property,
    transformRequest: property,
    transformEvent: property,
    credentials: oneOf('credentials', CREDENTIALS),
    model: word('model'),
    system: word('system'),
    agents: property,
    agent: word('agent'),
    tools: property,
    pageTools: word('page-tools'),
    maxToolRounds: count('max-tool-rounds', 1),
    poll: property,
    retry: oneOf('retry', RETRIES),
    threadId: word('thread-id'),
    persist: oneOf('persist', PERSISTS),
    storage: property,
    redact: property,
    limits: property,
    mode: oneOf('mode', MODES, REFLECTED),
    open: flag('open', REFLECTED),
    placement: oneOf('placement', PLACEMENTS, REFLECTED),
    launcher: property,
    heading: word('heading'),
    placeholder: word('placeholder'),
    greeting: word('greeting'),
    teaser: word('teaser'),
    disclaimer: word('disclaimer'),
    consent: word('consent'),
    participants: property,
    suggestions: json('suggestions'),
    colorScheme: oneOf('color-scheme', SCHEMES, REFLECTED),
    theme: oneOf('theme', THEMES, REFLECTED),
    density: oneOf('density', DENSITIES, REFLECTED),
    locale: word('locale'),
    strings: property,
    keepAlive: flag('keep-alive'),
    showReasoning: oneOf('show-reasoning', SHOWN),
    showTools: oneOf('show-tools', SHOWN),
    scrollAnchor: oneOf('scroll-anchor', SCROLL_ANCHORS),
    submitKey: oneOf('submit-key', SUBMIT_KEYS),
    attachments: word('attachments'),
    upload: property,
    voice: oneOf('voice', VOICES),
    models: property,
    commands: property,
    mentions: property,
    feedback: oneOf('feedback', FEEDBACKS),
    without: word('without'),
    messageActions: property,
    artifacts: oneOf('artifacts', ARTIFACTS),
    math: oneOf('math', MATH),
    imageHosts: word('image-hosts'),
    linkHosts: word('link-hosts'),
    disabled: flag('disabled'),
    readonly: flag('readonly'),
    autofocus: flag('autofocus'),
    demo: flag('demo'),
    debug: flag('debug'),
    loadHistory: property,
    renderers: property,
  };

  static {
    this.layer(Object.keys(this.properties));
  }

  /** Where the agent answers: `https` or `wss`, or relative to the page. */
  declare endpoint: string | undefined;
  /**
   * An adapter's id, an adapter, one described as data (see `defineProtocol`), or `auto` (default): recognised from the URL, the
   * response and its first frames.
   */
  declare protocol: string | Adapter | ProtocolMapping | undefined;
  /** Sent with every request. A function is asked before each, and once more after a 401. */
  declare headers: Provided<Readonly<Record<string, string>>> | undefined;
  /** Merged into the request body of the protocol. */
  declare body: Provided<Readonly<Record<string, unknown>>> | undefined;
  /** Facts of the page for the agent, or a function that gives them. */
  declare context: unknown;
  /** The page's own fetch. */
  declare fetch: typeof fetch | undefined;
  /** The last word on every request. */
  declare transformRequest: ((request: OutgoingRequest) => OutgoingRequest | Promise<OutgoingRequest>) | undefined;
  /** The last word on every event of the agent's; `null` drops it. */
  declare transformEvent: ((event: LLMAgentEvent) => LLMAgentEvent | readonly LLMAgentEvent[] | null) | undefined;
  /** Whether cookies go with requests, as in `fetch`. */
  declare credentials: OneOf<typeof CREDENTIALS>;
  /** The id of the model, for protocols that have one. */
  declare model: string | undefined;
  /** Instructions to the model, for protocols that have them. */
  declare system: string | undefined;
  /** Several agents in one widget; one that runs in the page needs no endpoint. */
  declare agents: readonly (BaseAgent | AgentDescriptor)[] | undefined;
  /** The id of the chosen agent. */
  declare agent: string | undefined;
  /** Tools that run in the page. */
  declare tools: readonly ClientTool[] | undefined;
  /** Tools that the page registered with WebMCP and that the agent may have: their names, or `*`. Each call is asked for. */
  declare pageTools: string | undefined;
  /** Rounds of the page's tools before the reader is asked whether to go on. Default 8. */
  declare maxToolRounds: number | undefined;
  /** For servers whose stream can't get through. */
  declare poll: Poll | undefined;
  /** What is sent again by itself. By default as safe as the kind of agent asks for. */
  declare retry: OneOf<typeof RETRIES> | undefined;
  /** The conversation on show. */
  declare threadId: string | undefined;
  /**
   * Where conversations are kept: `none`, `session` (this tab, over changes of page) or `local` (the browser's database, shared by
   * tabs). `none` by default in the page, `session` for a panel.
   */
  declare persist: OneOf<typeof PERSISTS> | undefined;
  /** Whose conversations these are, how long they are kept, and the page's own place for them. */
  declare storage: StorageSettings | undefined;
  /** Goes over the reader's text before it is sent, and over all text before it is stored. */
  declare redact: Redact | undefined;
  /** Bounds over the default ones. */
  declare limits: Partial<Limits> | undefined;
  /** How the widget lies in the page: `inline` in the box that the page gives it, or over it. */
  declare mode: OneOf<typeof MODES>;
  /** Whether the panel of a floating or sidebar widget is shown. */
  declare open: boolean;
  /** The corner of a floating widget, the side of a sidebar. */
  declare placement: OneOf<typeof PLACEMENTS>;
  /** How the launcher looks, and when it invites or opens by itself. */
  declare launcher: LauncherSettings | undefined;
  /** The name in the header. */
  declare heading: string | undefined;
  /** What stands in the empty composer. */
  declare placeholder: string | undefined;
  /** Shown in the empty transcript, never sent. */
  declare greeting: string | undefined;
  /** A word of invitation beside the launcher. */
  declare teaser: string | undefined;
  /** A line at the foot. */
  declare disclaimer: string | undefined;
  /** What the reader accepts before anything is sent, as Markdown; asked again when it changes. */
  declare consent: string | undefined;
  /** Names and pictures of who speaks. */
  declare participants: Participants | undefined;
  /** What the empty transcript offers to begin with. */
  declare suggestions: readonly Starter[] | undefined;
  /** `auto` follows the colour scheme that the page uses. */
  declare colorScheme: OneOf<typeof SCHEMES>;
  /** A ready look: `messenger`, `editorial`, `terminal` or `support`. By default that of the house. */
  declare theme: OneOf<typeof THEMES> | undefined;
  /** How close things stand. */
  declare density: OneOf<typeof DENSITIES>;
  /** BCP 47; by default the nearest `lang`, then the browser's, then English. */
  declare locale: string | undefined;
  /** Texts over those of the language. */
  declare strings: Strings | undefined;
  /** A running reply goes on while the element is out of the document. */
  declare keepAlive: boolean;
  /** How thoughts are shown. By default `collapsed`. */
  declare showReasoning: OneOf<typeof SHOWN> | undefined;
  /** How calls of tools are shown. By default `collapsed`; errors are never hidden. */
  declare showTools: OneOf<typeof SHOWN> | undefined;
  /** What stays in view while an answer grows: its `end` (default), or from its start the reader's `turn`, at the top. */
  declare scrollAnchor: OneOf<typeof SCROLL_ANCHORS>;
  /** What sends: `auto` is Enter, but on a touch keyboard, where it breaks the line. */
  declare submitKey: OneOf<typeof SUBMIT_KEYS>;
  /** Files that may be attached, as in `<input accept>`: `image/*,.pdf`; `*` for all. None by default. */
  declare attachments: string | undefined;
  /** Takes a file into the page's own storage; without it files go out inline, where the protocol carries them. */
  declare upload: Upload | undefined;
  /** `input`: what is said is written; `output`: answers can be read aloud. Where the browser can. */
  declare voice: OneOf<typeof VOICES> | undefined;
  /** Models to choose from; `model` is the chosen one. */
  declare models: readonly ModelOption[] | undefined;
  /** What `/` at the beginning offers: a list, or a search. */
  declare commands: Offers | undefined;
  /** What `@` offers. */
  declare mentions: Offers | undefined;
  /** Answers can be rated: with `thumbs`, or with thumbs and a reason (`comment`). */
  declare feedback: OneOf<typeof FEEDBACKS> | undefined;
  /** Built-in controls to leave out, separated by blanks: `header threads copy export delete edit quote regenerate`. */
  declare without: string | undefined;
  /** What the reader can do with a message besides what is built in; each comes as `agent-chat-action` with its `id`. */
  declare messageActions: readonly MessageAction[] | undefined;
  /** Whether artifacts run in a sandboxed frame or are shown as source. */
  declare artifacts: OneOf<typeof ARTIFACTS>;
  /** `on`: formulas between dollars or TeX's own marks are drawn. */
  declare math: OneOf<typeof MATH>;
  /** Hosts whose pictures load at once. */
  declare imageHosts: string | undefined;
  /** Hosts that the reader leaves for without being asked. Default `*`. */
  declare linkHosts: string | undefined;
  /** Nothing can be written or pressed. */
  declare disabled: boolean;
  /** The conversation can be read but not gone on with. */
  declare readonly: boolean;
  /** The composer has the focus from the start. */
  declare autofocus: boolean;
  /** A scripted agent in the page, in the place of the endpoint, shows what there is to be seen. Nothing goes out. */
  declare demo: boolean;
  /** Shows what passes by between the widget and the agent, for developers. */
  declare debug: boolean;
  /** Gives the messages before one of them, or the last ones: asked when the reader comes near the first. */
  declare loadHistory: LoadHistory | undefined;
  /** Renderers of this element alone; they win over those of `AgentChat.renderers`. */
  declare renderers: RendererRegistry;

  constructor() {
    super();
    // As the lowest layer, so that anything the page says wins.
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

  /** What the runtime needs to know, as it is now. */
  protected chatSettings(): ChatSettings {
    const { showReasoning, showTools } = this;
    const settings: ChatSettings = {
      endpoint: this.endpoint ?? undefined,
      protocol: this.protocol ?? undefined,
      headers: this.headers,
      body: this.body,
      context: this.context,
      fetch: this.fetch,
      transformRequest: this.transformRequest,
      transformEvent: this.transformEvent,
      credentials: known('credentials', this.credentials, CREDENTIALS),
      model: this.model ?? undefined,
      system: this.system ?? undefined,
      agents: this.agents ?? undefined,
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

  /** What has to be known of how conversations are kept, as it is now. */
  protected keepSettings(): KeepSettings {
    const storage = this.storage ?? undefined;
    // Whoever brings a place wants it used.
    const usual = this.mode === 'inline' && !storage?.store ? 'none' : 'session';
    return {
      persist: known('persist', this.persist, PERSISTS) || usual,
      endpoint: this.demo ? DEMO : (this.endpoint ?? undefined),
      storage,
      threadId: this.threadId ?? undefined,
      redact: this.redact ?? undefined,
    };
  }

  /** Whether conversations are kept. */
  protected get keeps(): boolean {
    return this.keepSettings().persist !== 'none';
  }

  /** How answers can be rated, if they can. */
  protected get rating(): 'thumbs' | 'comment' | undefined {
    return known('feedback', this.feedback, FEEDBACKS) || undefined;
  }

  /** The controls to leave out. */
  protected get withoutControls(): ReadonlySet<string> {
    const named = (this.without ?? '').split(/\s+/).filter((name) => name !== '');
    return new Set(this.readonly ? [...named, ...CHANGING] : named);
  }
}
