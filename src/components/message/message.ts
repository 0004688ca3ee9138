import { ContextConsumer } from '@lit/context';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { icon } from '../../primitives/icon.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { showMore } from '../../primitives/show-more.ts';
import { whenIdle } from '../../primitives/when-idle.ts';
import { renderBlock } from '../../renderers/render-block.ts';
import { isOvercome } from '../../renderers/core/is-overcome.ts';
import { lazy } from '../../renderers/core/lazy.ts';
import { longText, PLAIN_TEXT } from '../../renderers/core/long-text.ts';
import { loadPersistently } from '../../renderers/core/load-persistently.ts';
import type { AnswerDraft, RenderContext } from '../../renderers/core/renderer.ts';
import { collectSources } from '../../renderers/text/citations.ts';
import { adoptStylesheet } from '../../theme/stylesheet.ts';
import type * as ActivityChunk from './work/activity-chunk.ts';
import { daySeparator } from './day-separator.ts';
import { groupBlocks, reuseIfUnchanged, type BlockGroup } from './group-blocks.ts';
import { renderGroups, type BlockRendering } from './render-groups.ts';
import { outcomeNotes } from './outcome-notes.ts';
import { waitingIndicator } from './waiting-indicator.ts';
import { messageStyles } from './styles/message-styles.ts';
import { emptyToolbar, messageToolbar } from './toolbar.ts';
import type { messageEditor } from './message-editor.ts';
import type { sourceList } from './source-list.ts';
import type { followUpSuggestions } from './suggestions.ts';
import { authorOf } from './author-of-message.ts';
import { avatar, type Author } from './author.ts';
import { systemMessage } from './system-message.ts';
import { actionsContext, viewContext, type ChatActions, type ChatView } from '../shared/contexts.ts';

const loadSuggestions = async (): Promise<typeof followUpSuggestions> =>
  (await import('./suggestions.ts')).followUpSuggestions;
const loadSources = async (): Promise<typeof sourceList> => (await import('./source-list.ts')).sourceList;

/** Loaded when the user edits a message. */
let editorTemplate: typeof messageEditor | undefined;

/** Number of attachments of a user message that are shown at first. A button shows the others. */
const MAX_ATTACHMENTS = 50;

/** Maximum time until the toolbar of a new message appears on a busy page (ms). */
const TOOLBAR_MS = 500;

/** One message. It renders when the message or the view changes, and updates only the blocks that are new objects. */
export class AgentChatMessage extends LightElement {
  static override properties = {
    message: { attribute: false },
    head: { attribute: false },
    last: { attribute: false },
    day: { attribute: false },
    position: { attribute: false },
    setSize: { attribute: false },
    editing: { state: true },
  };
  declare message: ChatMessage;
  /** Whether it is the first message of an author in a row, which shows the name. */
  declare head: boolean;
  /** Whether it is the last message of a turn, which shows the toolbar and the suggestions. */
  declare last: boolean;
  /** Whether it is the first message of its day. */
  declare day: boolean;
  /** Position from 1 among `setSize` messages; undefined if all of them are in the document. */
  declare position: number | undefined;
  declare setSize: number | undefined;
  declare protected editing: boolean;
  readonly #view = new ContextConsumer(this, { context: viewContext, subscribe: true });
  readonly #actions = new ContextConsumer(this, { context: actionsContext });
  /** Whether the toolbar of a message of the user is rendered. */
  #hasToolbar: boolean | undefined;
  /** The groups of the last render. */
  #groups: readonly BlockGroup[] = [];

  constructor() {
    super();
    this.head = true;
    this.last = true;
    this.day = false;
    this.editing = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const style of messageStyles) adoptStylesheet(this, style);
  }

  /** Whether a renderer of the host page renders a part of the message. */
  get hasCustomRenderers(): boolean {
    const registries = this.#view.value?.registries ?? [];
    return this.message.blocks.some((block) => hasCustomRenderer(block, this.message, registries));
  }

  protected override render(): unknown {
    const view = this.#view.value;
    const actions = this.#actions.value;
    if (!view || !actions) return nothing;
    if (this.message.role === 'system') return systemMessage(this.message, view);
    const { role, timestamp } = this.message;
    return [
      this.day ? daySeparator(timestamp, view.settings.localize) : nothing,
      role === 'user' ? this.#user(view, actions) : this.#assistant(view, actions),
    ];
  }

  #assistant(view: ChatView, actions: ChatActions): TemplateResult {
    const { message } = this;
    const streaming = message.status === 'streaming';
    const groups = groupBlocks(message.blocks, this.#draw.isStandalone).map((group, index) =>
      reuseIfUnchanged(group, this.#groups[index]),
    );
    this.#groups = groups;
    const hasActivity = groups.some((group) => 'work' in group || group.within.length > 0);
    const isLoading = hasActivity && !customElements.get('agent-chat-nested');
    if (isLoading) void this.#loadActivity();
    // Until the code for the first work block is loaded, the indicator shows that the agent is at work.
    const isWaiting = streaming && (groups.length === 0 || (isLoading && groups.length === 1));
    const live = streaming && message.finish === undefined;
    return html`<article
      class="message"
      aria-label=${authorOf(message, view).name}
      aria-posinset=${this.position ?? nothing}
      aria-setsize=${this.setSize ?? nothing}
    >
      ${this.head && view.showsNames ? header(authorOf(message, view)) : nothing}
      ${renderGroups(groups, { live, isEarlier: !this.last, settings: view.settings, draw: this.#draw })}
      ${isWaiting ? waitingIndicator(view) : nothing}
      ${outcomeNotes(message, view, actions, this.last ? (this.head ? 'only' : 'last') : 'earlier')}
      ${
        this.last
          ? [
              collectSources(message).length > 0 ? lazy(loadSources, { message, view, actions }) : nothing,
              messageToolbar({ message, view, actions }),
              message.suggestions?.length ? lazy(loadSuggestions, { message, view, actions }) : nothing,
            ]
          : nothing
      }
    </article>`;
  }

  async #loadActivity(): Promise<void> {
    const loaded = await loadPersistently(loadActivity).catch(() => undefined);
    if (!loaded) return;
    loaded.defineActivity();
    this.requestUpdate();
  }

  /** A stable object: a new one would render finished work again for every token after it. */
  readonly #draw: BlockRendering = {
    isStandalone: (block) => hasCustomRenderer(block, this.message, this.#view.value?.registries ?? []),
    render: (block, growing) => {
      const view = this.#view.value;
      const actions = this.#actions.value;
      if (!view || !actions) return nothing;
      // Citations, retries and answered permissions depend on the message around the block; its text does not.
      const sources = block.type === 'content' ? collectSources(this.message).length : 0;
      const overcome = block.type === 'error' && isOvercome(block, this.message);
      const around = block.type === 'action' && block.status !== 'pending' && this.message;
      return guard([block, growing, view, sources, overcome, around], () => this.#show(block, growing, view, actions));
    },
  };

  #show(block: AssistantMessageBlock, growing: boolean, view: ChatView, actions: ChatActions): unknown {
    const isInput = block.type === 'action' || block.type === 'ui';
    const context: RenderContext = {
      settings: view.settings,
      message: this.message,
      growing,
      act: (action, payload, details) => {
        actions.act(action, this.message, block, payload, details);
      },
      draft: isInput ? answerDraft(block.id, actions) : undefined,
      conversation: { messages: () => actions.chat.messages },
      connectApp: async () =>
        (await import('../../runtime/chat/request-app.ts')).connectApp(actions, this.message, block),
    };
    const card = renderBlock(block, context, view.registries);
    // A text answers only a question in view. The built-in card names its question itself.
    const rendered =
      block.type === 'action' && this.#draw.isStandalone(block)
        ? html`<div data-question=${block.id}>${card}</div>`
        : card;
    // A disabled fieldset disables all controls in it, also those of a page's renderer. Links in it still work.
    return isInput && view.settings.isLocked
      ? html`<fieldset class="locked" disabled>${rendered}</fieldset>`
      : rendered;
  }

  #user(view: ChatView, actions: ChatActions): unknown {
    const { message } = this;
    const { localize } = view.settings;
    if (message.metadata?.['hidden'] === true) return nothing;
    const text = textOf(message);
    const { name = localize('user'), avatar: picture } = view.participants.user ?? {};
    return html`<article
      class="message user"
      aria-label=${name}
      aria-posinset=${this.position ?? nothing}
      aria-setsize=${this.setSize ?? nothing}
    >
      ${picture && this.head ? header({ name, picture, hue: 0 }) : nothing}
      ${
        this.editing && editorTemplate
          ? editorTemplate({
              localize,
              text,
              submitKey: view.submitKey,
              cancel: this.#closeEditor,
              send: (edited) => {
                this.editing = false;
                actions.sendEdited(message, edited);
              },
            })
          : text
            ? html`<div class="bubble" part="bubble" dir="auto">${longText(text, localize, String, PLAIN_TEXT)}</div>`
            : nothing
      }
      ${showMore({
        items: message.blocks.filter((block) => block.type !== 'content'),
        step: MAX_ATTACHMENTS,
        localize,
        draw: (block) => html`<div class="attachment">${this.#show(block, false, view, actions)}</div>`,
      })}
      ${
        message.status === 'failed'
          ? html`<div class="line failed">
              ${icon('alert', 'small')}<span>${localize('message.failed')}</span>
              ${
                actions.isUnsent(message) && !view.settings.isLocked
                  ? html`<button
                      type="button"
                      class="link"
                      @click=${() => {
                        actions.act('retry', message);
                      }}
                    >
                      ${localize('error.retry')}
                    </button>`
                  : nothing
              }
            </div>`
          : nothing
      }
      ${this.#userToolbar(view, actions)}
    </article>`;
  }

  /**
   * The toolbar of a message that is being sent appears when the browser is idle: the request comes first, and formatting
   * the first time of day in a page takes 15 ms.
   */
  #userToolbar(view: ChatView, actions: ChatActions): unknown {
    const { message } = this;
    if (this.editing) return nothing;
    if (this.#hasToolbar === undefined) {
      this.#hasToolbar = message.status !== 'sending';
      if (!this.#hasToolbar)
        whenIdle(() => {
          this.#hasToolbar = true;
          this.requestUpdate();
        }, TOOLBAR_MS);
    }
    return this.#hasToolbar ? messageToolbar({ message, view, actions, edit: this.#openEditor }) : emptyToolbar();
  }

  readonly #openEditor = (): void => {
    // If the editor fails to load, the next click tries again.
    this.edit().catch(() => undefined);
  };

  /** Opens the editor of a user message. */
  async edit(): Promise<void> {
    editorTemplate ??= (await import('./message-editor.ts')).messageEditor;
    this.editing = true;
    await this.updateComplete;
    this.querySelector('textarea')?.focus();
  }

  readonly #closeEditor = (): void => {
    this.editing = false;
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('.toolbar > .edit')?.focus();
    });
  };
}

const hasCustomRenderer = (
  block: AssistantMessageBlock,
  message: ChatMessage,
  registries: ChatView['registries'],
): boolean => registries.some((registry) => registry.match(block, message).length > 0);

const answerDraft = (blockId: string, { answers }: ChatActions): AnswerDraft => ({
  read: () => answers.answer(blockId),
  write: (value) => {
    answers.setAnswer(blockId, value);
  },
});

/** Loads the elements that are not part of a plain answer, in parallel with their styles and texts. */
async function loadActivity(): Promise<typeof ActivityChunk> {
  const [chunk] = await Promise.all([
    import('./work/activity-chunk.ts'),
    import('../../renderers/core/block-styles.ts'),
    import('../../locales/english/all-english.ts'),
  ]);
  return chunk;
}

/** The line above a message with the avatar and name of its author. */
const header = (author: Author): TemplateResult =>
  html`<div class="message-header" part="message-header" data-hue=${author.hue}>
    ${avatar(author, 'small')}
    <b class="clip" dir="auto">${author.name}</b>
  </div>`;

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-message': AgentChatMessage;
  }
}
