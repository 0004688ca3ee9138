import { ContextConsumer } from '@lit/context';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { renderBlock } from '../renderers/render-block.ts';
import type { RenderContext } from '../renderers/renderer.ts';
import { sourcesOf } from '../renderers/sources.ts';
import { adoptSheet } from '../theme/sheet.ts';
import { groupBlocks, same, type Group } from './block-groups.ts';
import { drawGroups, type DrawBlocks } from './draw-groups.ts';
import { followUps } from './follow-ups.ts';
import { dayLine } from './message-facts.ts';
import { messageEditor } from './message-editor.ts';
import { messageNotes, waiting } from './message-notes.ts';
import { messageStyles } from './message-styles.ts';
import { messageToolbar } from './message-toolbar.ts';
import { sourceList } from './source-list.ts';
import { avatar, speakerOf } from './speaker.ts';
import { systemNote } from './system-note.ts';
import { actionsContext, viewContext, type Actions, type View } from './contexts.ts';

/**
 * One message. It draws itself anew when it or the view has changed, and in it only the blocks that are other objects than
 * before.
 */
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
  /** It begins what one agent says: its name stands above, where agents are named. */
  declare head: boolean;
  /** It ends a turn: its tools and suggestions stand below. */
  declare last: boolean;
  /** It is the first one of its day. */
  declare day: boolean;
  /** Its place, from 1, among `setSize` messages, where not all of them are in the document. */
  declare position: number | undefined;
  declare setSize: number | undefined;
  declare protected editing: boolean;
  readonly #view = new ContextConsumer(this, { context: viewContext, subscribe: true });
  readonly #actions = new ContextConsumer(this, { context: actionsContext });
  /** As they were drawn last. */
  #groups: readonly Group[] = [];

  constructor() {
    super();
    this.head = true;
    this.last = true;
    this.day = false;
    this.editing = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const style of messageStyles) adoptSheet(this, style);
  }

  /** The page draws a part of it. */
  get hasOwnElements(): boolean {
    const registries = this.#view.value?.registries ?? [];
    return this.message.blocks.some((block) => isOwn(block, this.message, registries));
  }

  protected override render(): unknown {
    const view = this.#view.value;
    const actions = this.#actions.value;
    if (!view || !actions) return nothing;
    if (this.message.role === 'system') return systemNote(this.message, view);
    const { role, timestamp } = this.message;
    return [
      this.day ? dayLine(timestamp, view.settings.localize) : nothing,
      role === 'user' ? this.#user(view, actions) : this.#assistant(view, actions),
    ];
  }

  #assistant(view: View, actions: Actions): TemplateResult {
    const { message } = this;
    const streaming = message.status === 'streaming';
    const groups = groupBlocks(message.blocks, this.#draw.standsAlone).map((group, index) =>
      same(group, this.#groups[index]),
    );
    this.#groups = groups;
    const live = streaming && message.finish === undefined;
    return html`<article
      class="message"
      aria-label=${speakerOf(message, view).name}
      aria-posinset=${this.position ?? nothing}
      aria-setsize=${this.setSize ?? nothing}
    >
      ${this.head && view.named ? this.#header(message, view) : nothing}
      ${drawGroups(groups, { live, settings: view.settings, draw: this.#draw })}
      ${streaming && groups.length === 0 ? waiting(view) : nothing} ${messageNotes(message, view, actions)}
      ${
        this.last
          ? [
              sourceList(message, view, actions),
              messageToolbar({ message, view, actions }),
              followUps(message, view, actions),
            ]
          : nothing
      }
    </article>`;
  }

  #header(message: ChatMessage, view: View): TemplateResult {
    const speaker = speakerOf(message, view);
    return html`<div class="message-header" part="message-header" data-hue=${speaker.hue}>
      ${avatar(speaker, 'small')}
      <b class="clip" dir="auto">${speaker.name}</b>
    </div>`;
  }

  /** Always this object: with another one finished work would be drawn again for every token behind it. */
  readonly #draw: DrawBlocks = {
    standsAlone: (block) => isOwn(block, this.message, this.#view.value?.registries ?? []),
    show: (block, growing) => {
      const view = this.#view.value;
      const actions = this.#actions.value;
      if (!view || !actions) return nothing;
      // A citation or a retry looks at the message around the block; its text does not.
      const sources = block.type === 'content' ? sourcesOf(this.message).length : 0;
      return guard([block, growing, view, sources], () => this.#show(block, growing, view, actions));
    },
  };

  #show(block: AssistantMessageBlock, growing: boolean, view: View, actions: Actions): unknown {
    const context: RenderContext = {
      settings: view.settings,
      message: this.message,
      growing,
      act: (action, payload, details) => {
        actions.act(action, this.message, block, payload, details);
      },
      draft: block.type === 'action' ? actions.draftOf(block.id) : undefined,
    };
    return renderBlock(block, context, view.registries);
  }

  #user(view: View, actions: Actions): unknown {
    const { message } = this;
    const { localize } = view.settings;
    if (message.metadata?.['hidden'] === true) return nothing;
    const words = textOf(message);
    return html`<article
      class="message user"
      aria-label=${view.participants.user?.name ?? localize('user')}
      aria-posinset=${this.position ?? nothing}
      aria-setsize=${this.setSize ?? nothing}
    >
      ${
        this.editing
          ? messageEditor({
              localize,
              text: words,
              cancel: this.#leaveEditor,
              send: (text) => {
                this.editing = false;
                actions.edit(message, text);
              },
            })
          : words
            ? html`<div class="bubble" part="bubble" dir="auto">${words}</div>`
            : nothing
      }
      ${message.blocks
        .filter((block) => block.type !== 'content')
        .map((block) => html`<div class="attachment">${this.#show(block, false, view, actions)}</div>`)}
      ${
        message.status === 'failed'
          ? html`<div class="line failed">${icon('alert', 'small')}<span>${localize('message.failed')}</span></div>`
          : nothing
      }
      ${this.editing ? nothing : messageToolbar({ message, view, actions, edit: this.#begin })}
    </article>`;
  }

  readonly #begin = (): void => {
    this.edit();
  };

  /** Opens one of the reader's for other words. */
  edit(): void {
    this.editing = true;
    void this.updateComplete.then(() => {
      this.querySelector('textarea')?.focus();
    });
  }

  readonly #leaveEditor = (): void => {
    this.editing = false;
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('.toolbar > .edit')?.focus();
    });
  };
}

const isOwn = (block: AssistantMessageBlock, message: ChatMessage, registries: View['registries']): boolean =>
  registries.some((registry) => registry.match(block, message).length > 0);

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-message': AgentChatMessage;
  }
}
