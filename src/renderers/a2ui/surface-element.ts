import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import { icon } from '../../primitives/icon.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { READ_MS } from '../../primitives/settled-press.ts';
import { adoptStylesheet } from '../../theme/stylesheet.ts';
import type { SurfaceHost } from './surface-host.ts';
import type { NodeOf, UiNode } from './node-types.ts';
import { readSurfaces, type Edit, type Surface } from './read-messages.ts';
import { buildTree } from './build-tree.ts';
import { part } from './component-views.ts';
import {
  contentOf,
  contentsIn,
  describePress,
  findNode,
  inputsIn,
  SECRET,
  secretNames,
  secretPathsIn,
  textsIn,
  type EventPress,
} from './describe-action.ts';
import { withOtherValues } from './data-model.ts';
import { SurfaceInput } from './surface-input.ts';
import { surfaceInstances, type SurfaceInstance } from './surface-instances.ts';
import { imageOf } from '../media/policy-image.ts';
import { jsonTree } from '../tools/json-tree.ts';
import type { RenderContext } from '../core/renderer.ts';
import { authorName, messageAuthor } from '../core/author-name.ts';
import { inSentence } from '../core/in-sentence.ts';
import { surfaceStyles } from '../core/surface-styles.ts';

/** A text that was unchanged for this long counts as read (ms). One that changes more often, such as a clock, does not. */
const STEADY_MS = 2000;

let elementCount = 0;

/** What a surface is read from. */
interface Source {
  readonly messages: readonly unknown[];
  readonly edits: readonly Edit[];
}

interface Shown extends Source {
  readonly predecessors: number;
  /** When the agent has changed the surface, in the time of `performance.now()`. */
  readonly changedAt: number;
  /** What was visible for long enough to be read before that. */
  readonly before: Source | undefined;
  /** Its texts by node key, each with the time of its last change. */
  readonly texts: ReadonlyMap<string, SeenText>;
  /** When the agent has changed a text that was steady. */
  readonly textChangedAt: number;
}

interface SeenText {
  readonly text: string;
  readonly since: number;
}

/** The surface elements of each widget. When one changes, all of them render again. */
const elementsByRoot = new WeakMap<Node, Set<AgentChatSurface>>();
/** The roots whose surface elements are about to render again. */
const rootsToUpdate = new WeakSet<Node>();

/**
 * Renders the A2UI surfaces (user interfaces that an agent describes as JSON) that a block created, in a frame with the name
 * of the agent, and a link to each earlier surface that the block updates. User input stays in the widget until the user presses a button of the surface.
 */
export class AgentChatSurface extends LightElement {
  static override properties = {
    messages: { attribute: false },
    blockId: { attribute: false },
    context: { attribute: false },
  };
  declare messages: readonly unknown[];
  declare blockId: string;
  declare context: RenderContext;
  readonly #input = new SurfaceInput();
  readonly #tabs = new Map<string, number>();
  readonly #filters = new Map<string, string>();
  /** The DOM ids of the nodes, by surface and node key. */
  #ids = new Map<string, string>();
  /** What is shown of each surface, and what was shown before the agent has changed it. */
  readonly #shown = new Map<string, Shown>();
  #view: MarkdownView | undefined;
  #root: Node | undefined;
  readonly #idPrefix = `ui-${String((elementCount += 1))}`;

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, surfaceStyles);
    this.#root = this.getRootNode();
    const all = elementsByRoot.get(this.#root) ?? new Set();
    elementsByRoot.set(this.#root, all.add(this));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#root) elementsByRoot.get(this.#root)?.delete(this);
    this.#updateAllSurfaces();
  }

  protected override willUpdate(): void {
    if (!this.hasUpdated) this.#input.restore(this.context.draft);
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('messages')) this.#updateAllSurfaces();
  }

  /** Renders all surfaces of the widget again, once for all changes of the same task. */
  #updateAllSurfaces(): void {
    const root = this.#root;
    if (!root || rootsToUpdate.has(root)) return;
    rootsToUpdate.add(root);
    queueMicrotask(() => {
      rootsToUpdate.delete(root);
      for (const surface of elementsByRoot.get(root) ?? []) surface.requestUpdate();
    });
  }

  /** The surfaces to which the messages of this block refer. */
  #instances(): readonly SurfaceInstance[] {
    const { context, blockId, messages } = this;
    const conversation = context.conversation?.messages() ?? [];
    const isInConversation = conversation.some(({ blocks }) => blocks.some(({ id }) => id === blockId));
    const ui = { type: 'ui', id: blockId, status: 'success', timestamp: 0, ui: { kind: 'a2ui', messages } } as const;
    // A message outside the current branch, or one that a page renders elsewhere, is treated as a separate conversation.
    const instances = surfaceInstances(isInConversation ? conversation : [{ ...context.message, blocks: [ui] }]);
    return instances.filter(({ blocks }) => blocks.has(blockId));
  }

  protected override render(): TemplateResult {
    const instances = this.#instances();
    const own = instances.filter(({ blockId }) => blockId === this.blockId);
    const others = instances.filter(({ blockId }) => blockId !== this.blockId);
    this.#ids = new Map();
    if (own.length === 0 && others.length > 0) return html`${others.map((instance) => this.#link(instance))}`;
    const heading = this.#heading(own);
    return html`<section class="card surface" role="group" aria-label=${heading}>
        <p class="surface-from">${heading}</p>
        ${own.length > 0 ? own.map((instance) => this.#renderInstance(instance)) : jsonTree(this.messages, this.context)}
      </section>
      ${others.map((instance) => this.#link(instance))}`;
  }

  /** The name of the agent, and the tool if the surface names one. */
  #heading(instances: readonly SurfaceInstance[]): string {
    const name = messageAuthor(this.context);
    const [tool = ''] = instances.flatMap(({ messages }) => readSurfaces(messages)).map(({ agentName }) => agentName);
    const { localize } = this.context.settings;
    const toolName = inSentence(authorName(tool, localize));
    const author = tool && toolName !== name ? `${name} · ${toolName}` : name;
    return localize('ui.from', { name: author });
  }

  /** Every surface is rendered once. A block that changes it later shows a link to it. */
  #link({ messageId, deleted }: SurfaceInstance): TemplateResult {
    const { settings } = this.context;
    if (deleted) return html`<p class="muted">${settings.localize('ui.closed')}</p>`;
    return html`<button
      type="button"
      class="link surface-link"
      @click=${() => {
        // The host is the widget, or an element of the page that renders this block itself.
        const root = this.getRootNode();
        const host: (Element & { scrollToMessage?: (id: string) => void }) | undefined =
          root instanceof ShadowRoot ? root.host : undefined;
        host?.scrollToMessage?.(messageId);
      }}
    >
      ${icon('up', 'small')}${settings.localize('ui.updated')}
    </button>`;
  }

  #renderInstance({ id, messages, predecessors }: SurfaceInstance): unknown {
    const { localize } = this.context.settings;
    this.#input.begin(id, predecessors);
    const [surface] = readSurfaces(messages, this.#input.edits);
    if (!surface) return nothing;
    if (surface.deleted) return html`<p class="muted surface-note">${localize('ui.closed')}</p>`;
    const tree = this.#tree(surface);
    if (!tree.root) return this.#renderWithoutRoot(messages);
    this.#remember(id, tree.root, { messages, edits: this.#input.edits, predecessors });
    const { color } = surface;
    return html`<div class="surface-body" ?data-themed=${color !== ''} .style=${color && `--_theme: ${color}`}>
        ${part(tree.root, this.#host(surface, tree.root, messages))}
      </div>
      ${tree.isTruncated ? html`<p class="muted surface-note">${localize('ui.cut')}</p>` : nothing}`;
  }

  #tree(surface: Surface): ReturnType<typeof buildTree> {
    const { locale } = this.context.settings.localize;
    return buildTree(surface, { locale, unboundValues: this.#input.unboundValues(surface) });
  }

  /** The tree with other passwords: what is different in it contains them. Undefined if there are none. */
  #withOtherPasswords(surface: Surface, root: UiNode): UiNode | undefined {
    const paths = [...secretPathsIn(root), ...this.#input.secretPaths(surface.id)];
    return paths.length === 0 ? undefined : this.#tree({ ...surface, data: withOtherValues(surface.data, paths) }).root;
  }

  /** See `SurfaceHost.inputIn`. Other states of the surface are built once, and only if the user has typed something. */
  #findInput(surface: Surface, root: UiNode, messages: readonly unknown[]): SurfaceHost['inputIn'] {
    const edits = this.#input.edits.filter((edit) => edit.surface === surface.id);
    const isTyped = edits.some(({ value }) => typeof value !== 'boolean');
    let others: Readonly<Record<'empty' | 'passwords', ReadonlyMap<string, string>>> | undefined;
    return (node) => {
      const content = isTyped ? contentOf(node) : undefined;
      if (!content) return undefined;
      if (!others) {
        const [untouched = surface] = readSurfaces(messages, this.#chosenByUser(surface, edits, messages));
        const passwords = this.#withOtherPasswords(surface, root) ?? root;
        others = { empty: contentsIn(this.#tree(untouched).root), passwords: contentsIn(passwords) };
      }
      if (others.passwords.get(node.key) !== content) return 'password';
      return others.empty.get(node.key) === content ? undefined : 'text';
    };
  }

  /** The input whose values the agent knows: those among which the user chooses, unless they contain what is typed. A number may be typed. */
  #chosenByUser({ id }: Surface, edits: readonly Edit[], messages: readonly unknown[]): readonly Edit[] {
    const offered = readSurfaces(messages)
      .filter((surface) => surface.id === id)
      .flatMap((surface) => inputsIn(this.#tree(surface).root))
      .flatMap((node) => (node.type === 'ChoicePicker' ? node.options.map(({ value }) => value) : []));
    return edits.filter(
      ({ value }) =>
        typeof value === 'boolean' ||
        (Array.isArray(value) && value.every((item) => (offered as readonly unknown[]).includes(item))),
    );
  }

  /** Whether the values that the user can set with an input contain a password. */
  #isSecret(surface: Surface, root: UiNode, { key }: UiNode): boolean {
    const other = this.#withOtherPasswords(surface, root);
    return other !== undefined && choicesOf(findNode(root, key)) !== choicesOf(findNode(other, key));
  }

  /** The names of the values with passwords that a press of a button sends. Undefined if the surface has no passwords. */
  #secretNames(
    surface: Surface,
    { key }: NodeOf<'Button'>,
    { press, root }: { readonly press: EventPress; readonly root: UiNode },
  ): readonly string[] | undefined {
    const other = this.#withOtherPasswords(surface, root);
    const button = other && findNode(other, key);
    return other && secretNames(press, button?.type === 'Button' ? button.press : undefined);
  }

  /** The root component may still arrive; if the stream ends without it, the other components are shown. */
  #renderWithoutRoot(messages: readonly unknown[]): unknown {
    return this.context.message.status === 'streaming'
      ? html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`
      : jsonTree(messages, this.context);
  }

  #host(surface: Surface, root: UiNode, messages: readonly unknown[]): SurfaceHost {
    const keyOf = (node: UiNode): string => `${surface.id} ${node.key}`;
    const input = this.#input;
    const messageCount = messages.length;
    return {
      context: this.context,
      view: this.#markdownView(),
      idOf: (node) => {
        const id = this.#ids.get(keyOf(node)) ?? `${this.#idPrefix}-${String(this.#ids.size)}`;
        this.#ids.set(keyOf(node), id);
        return id;
      },
      setValue: (node, value) => {
        input.setValue(surface, node, { value, messageCount, isSecret: this.#isSecret(surface, root, node) });
        input.store(this.context.draft);
        this.requestUpdate();
      },
      blur: (node) => {
        if (input.blur(surface, node)) this.requestUpdate();
      },
      touched: (node) => input.touched(surface, node),
      filter: (node) => this.#filters.get(keyOf(node)) ?? '',
      setFilter: (node, text) => {
        this.#filters.set(keyOf(node), text);
        this.requestUpdate();
      },
      press: (node, event) => {
        if (node.problem !== '') this.#showProblems(surface);
        else if (event.detail === 0 || !this.#hasJustChanged(surface, node, root))
          this.#press(surface, node, { root, messageCount });
      },
      pressed: (node) => input.pressed(surface, node, messageCount),
      inputIn: this.#findInput(surface, root, messages),
      tab: (node) => this.#tabs.get(keyOf(node)) ?? 0,
      openTab: (node, index) => {
        this.#tabs.set(keyOf(node), index);
        this.requestUpdate();
      },
    };
  }

  #remember(id: string, root: UiNode, now: Pick<Shown, 'messages' | 'edits' | 'predecessors'>): void {
    const known = this.#shown.get(id);
    const time = performance.now();
    const { changedAt = -Infinity, textChangedAt = -Infinity, before } = known ?? {};
    const texts = seenTexts(root, known?.texts, time);
    if (!known || (known.predecessors === now.predecessors && isSameList(known.messages, now.messages))) {
      this.#shown.set(id, { ...now, changedAt, before, texts, textChangedAt });
      return;
    }
    this.#shown.set(id, {
      ...now,
      changedAt: time,
      before: time - changedAt >= READ_MS ? { messages: known.messages, edits: known.edits } : before,
      texts,
      textChangedAt: isSteadyTextChanged(known.texts, texts, time) ? time : textChangedAt,
    });
  }

  /**
   * Whether the agent has changed what a press of the button sends or says, or a steady text of the surface, before the user could
   * read it. Other changes don't count: a surface may change all the time. Nor does what the user has entered.
   */
  #hasJustChanged(surface: Surface, node: NodeOf<'Button'>, root: UiNode): boolean {
    const { changedAt = -Infinity, textChangedAt = -Infinity, before } = this.#shown.get(surface.id) ?? {};
    const time = performance.now();
    if (time - textChangedAt < READ_MS) return true;
    if (time - changedAt >= READ_MS || !before) return false;
    const [earlier] = readSurfaces(before.messages, this.#editsBefore(before));
    const earlierRoot = earlier && this.#tree(earlier).root;
    const button = earlierRoot && findNode(earlierRoot, node.key);
    if (button?.type !== 'Button') return true;
    return this.#messageOf(earlier, button, earlierRoot) !== this.#messageOf(surface, node, root);
  }

  /** The input in an earlier state of a surface: that of the user until now, also what a newer surface of the same id has not got. */
  #editsBefore({ messages, edits }: Source): readonly Edit[] {
    const all = new Map([...edits, ...this.#input.edits].map((edit) => [`${edit.surface} ${edit.path}`, edit]));
    return [...all.values()].map((edit) => ({ ...edit, messageCount: Math.min(edit.messageCount, messages.length) }));
  }

  /** What a press of a button sends, and says in the user's name. Of all data, which may change all the time, what the fields show. */
  #messageOf(surface: Surface | undefined, node: NodeOf<'Button'>, root: UiNode | undefined): string {
    const { press } = node;
    if (press.kind !== 'event' || !surface || !root) return '';
    const fields = surface.sendsData ? inputsIn(root).map((input) => [input.label, input.path, input.value]) : [];
    return JSON.stringify([press.context, this.#describe(surface, node, press, root), fields]);
  }

  /** Returns the same object until `localize` changes, because a new object would cause a full re-render. */
  #markdownView(): MarkdownView {
    const { settings } = this.context;
    if (this.#view?.localize !== settings.localize) {
      this.#view = {
        localize: settings.localize,
        image: (src, alt) => imageOf(src, alt, this.context.settings),
      };
    }
    return this.#view;
  }

  /** Shows all errors and moves the focus to the first. */
  #showProblems(surface: Surface): void {
    this.#input.check(surface);
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    });
  }

  #press(
    surface: Surface,
    node: NodeOf<'Button'>,
    { root, messageCount }: { readonly root: UiNode; readonly messageCount: number },
  ): void {
    const { press, id: sourceComponentId } = node;
    const { id, data, sendsData, version } = surface;
    if (press.kind !== 'event') return;
    const { name, context } = press;
    const secrets = this.#secretNames(surface, node, { press, root });
    this.#input.press(surface, node, messageCount);
    this.#input.store(this.context.draft);
    this.requestUpdate();
    this.context.act('ui-action', {
      surfaceId: id,
      name,
      context,
      sourceComponentId,
      ...(version !== '' && { version }),
      ...(sendsData && { dataModel: data }),
      // The data of the surface have the passwords too.
      ...(secrets && (sendsData || secrets.length > 0) && { secrets }),
      text: this.#describe(surface, node, press, root),
    });
  }

  /** Lines that would be others with other passwords contain a part of one, such as the label of an option. */
  #describe(surface: Surface, node: NodeOf<'Button'>, press: EventPress, root: UiNode): string {
    const { id } = surface;
    const messageCount = this.#shown.get(id)?.messages.length;
    const shared = {
      secrets: this.#secretNames(surface, node, { press, root }) ?? [],
      localize: this.context.settings.localize,
      entered: new Map(
        this.#input.edits.flatMap(({ surface: owner, path, value, messageCount: count }) =>
          owner === id ? [[path, { value, isCurrent: count === messageCount }]] : [],
        ),
      ),
    };
    const text = describePress(node, press, { ...shared, root });
    const otherRoot = this.#withOtherPasswords(surface, root);
    if (!otherRoot) return text;
    const other = findNode(otherRoot, node.key);
    const isButton = other?.type === 'Button' && other.press.kind === 'event';
    const lines = isButton ? describePress(other, other.press, { ...shared, root: otherRoot }).split('\n') : [];
    return text
      .split('\n')
      .map((line) => (lines.includes(line) ? line : SECRET))
      .join('\n');
  }
}

/** The texts of a surface. Those that are the same as before keep the time of their last change. */
function seenTexts(root: UiNode, known: Shown['texts'] | undefined, time: number): Shown['texts'] {
  const texts = new Map<string, SeenText>();
  const contents = textsIn(root);
  // The keys under an empty one: a node may come or go.
  for (const [key, text] of [...contents, ['', [...contents.keys()].join('\n')] as const]) {
    const seen = known?.get(key);
    texts.set(key, seen?.text === text ? seen : { text, since: time });
  }
  return texts;
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

/** What an input offers, and what is chosen. */
const choicesOf = (node: UiNode | undefined): string => {
  if (!node || !('value' in node)) return '';
  const options = node.type === 'ChoicePicker' ? node.options.map(({ value }) => value) : [];
  return JSON.stringify([node.value, options, 'min' in node ? [node.min, node.max] : []]);
};

const isSteadyTextChanged = (before: Shown['texts'], now: Shown['texts'], time: number): boolean =>
  [...before].some(([key, seen]) => time - seen.since >= STEADY_MS && now.get(key)?.text !== seen.text);

export const surfaceView = ({
  messages,
  blockId,
  context,
}: Pick<AgentChatSurface, 'messages' | 'blockId' | 'context'>): TemplateResult => {
  defineOnce('agent-chat-surface', AgentChatSurface);
  return html`<agent-chat-surface .messages=${messages} .blockId=${blockId} .context=${context}></agent-chat-surface>`;
};
