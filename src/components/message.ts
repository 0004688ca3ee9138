import { ContextConsumer } from '@lit/context';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { link } from '../markdown/link.ts';
import { renderBlock } from '../renderers/render-block.ts';
import type { RenderContext } from '../renderers/renderer.ts';
import { sourcesOf } from '../renderers/sources.ts';
import { withoutBidi } from '../safety/urls.ts';
import { adoptSheet } from '../theme/sheet.ts';
import { isWork, type WorkBlock } from './activity.ts';
import { messageStyles } from './message-styles.ts';
import { actionsContext, viewContext, type Actions, type View } from './contexts.ts';

type Group = { readonly work: readonly WorkBlock[] } | { readonly block: AssistantMessageBlock };

/**
 * One message. It draws itself anew when it or the view has changed, and in it only the blocks that are other objects than
 * before.
 */
export class AgentChatMessage extends LightElement {
  static override properties = {
    message: { attribute: false },
    head: { attribute: false },
    last: { attribute: false },
    editing: { state: true },
  };
  declare message: ChatMessage;
  /** It begins what one agent says: its name stands above, where agents are named. */
  declare head: boolean;
  /** It ends a turn: its tools and suggestions stand below. */
  declare last: boolean;
  declare protected editing: boolean;
  readonly #view = new ContextConsumer(this, { context: viewContext, subscribe: true });
  readonly #actions = new ContextConsumer(this, { context: actionsContext });

  constructor() {
    super();
    this.head = true;
    this.last = true;
    this.editing = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const style of messageStyles) adoptSheet(this, style);
  }

  protected override render(): unknown {
    const view = this.#view.value;
    const actions = this.#actions.value;
    if (!view || !actions) return nothing;
    return this.message.role === 'user' ? this.#user(view, actions) : this.#assistant(view, actions);
  }

  #assistant(view: View, actions: Actions): TemplateResult {
    const { message } = this;
    const streaming = message.status === 'streaming';
    const groups = groupBlocks(message.blocks, view, message);
    const { localize } = view.settings;
    return html`<article class="message" aria-label=${message.name ?? localize('agent')}>
      ${this.head && view.named ? this.#header(message, view) : nothing}
      ${repeat(groups, keyOf, (group, index) => this.#group(group, index === groups.length - 1, view, actions))}
      ${streaming && groups.length === 0 ? waiting(view) : nothing} ${this.#notes(view, actions)}
      ${this.last ? html`${this.#sources(view)}${this.#toolbar(view, actions)}${this.#suggestions(view, actions)}` : nothing}
    </article>`;
  }

  #header({ name, agentId }: ChatMessage, { settings, participants }: View): TemplateResult {
    const shown = withoutBidi(name ?? participants.assistant?.name ?? settings.localize('agent'));
    return html`<div class="message-header" part="message-header" data-hue=${hueOf(agentId ?? shown)}>
      <span class="avatar small" part="avatar" aria-hidden="true">${Array.from(shown).slice(0, 2).join('')}</span>
      <b class="clip" dir="auto">${shown}</b>
    </div>`;
  }

  #group(group: Group, last: boolean, view: View, actions: Actions): unknown {
    const { message } = this;
    const live = message.status === 'streaming' && message.finish === undefined;
    if ('block' in group) {
      const { block } = group;
      const growing = live && last;
      // A citation or a retry looks at the message around the block; its text does not.
      return guard([block, growing, view, sourcesOf(message).length], () => this.#show(block, growing, view, actions));
    }
    return html`<agent-chat-activity
      .blocks=${group.work}
      .live=${live && last}
      .settings=${view.settings}
      .show=${(block: AssistantMessageBlock) =>
        guard([block, live && last, view], () =>
          this.#show(block, live && last && block === group.work.at(-1), view, actions),
        )}
    ></agent-chat-activity>`;
  }

  #show(block: AssistantMessageBlock, growing: boolean, view: View, actions: Actions): unknown {
    const context: RenderContext = {
      settings: view.settings,
      message: this.message,
      growing,
      act: (action, payload) => {
        actions.act(action, this.message, block, payload);
      },
    };
    return renderBlock(block, context, view.registries);
  }

  /** What is to be said about how the answer went. */
  #notes({ settings }: View, actions: Actions): unknown {
    const { localize } = settings;
    const { status, finish, metadata, blocks } = this.message;
    const notes: unknown[] = [];
    if (metadata?.['unreadable'] === true) notes.push(note(localize('state.unreadable')));
    if (status === 'cancelled') notes.push(note(localize('state.stopped'), 'stop'));
    if (finish === 'max_tokens') {
      const goOn = html`<button
        type="button"
        class="link"
        @click=${() => {
          actions.act('continue', this.message, undefined, localize('state.continue'));
        }}
      >
        ${localize('state.continue')}
      </button>`;
      notes.push(note(localize('state.max-tokens'), 'alert', goOn));
    }
    const explained = blocks.some((block) => block.type === 'error');
    if (finish === 'error' && status === 'error' && !explained) notes.push(note(localize('state.refused'), 'alert'));
    return notes;
  }

  #sources({ settings }: View): unknown {
    const sources = sourcesOf(this.message);
    if (sources.length === 0 || this.message.status === 'streaming') return nothing;
    const title = settings.localize('sources.count', { count: sources.length });
    return html`<nav class="source-list" part="source-list" aria-label=${title}>
      <span class="label">${title}</span>
      <ol>
        ${sources.map(({ number, citation }) => {
          const name = withoutBidi(citation.title ?? citation.quote ?? citation.url ?? citation.id);
          const host = hostOf(citation.url);
          return html`<li title=${citation.quote ?? nothing}>
            <span class="citation" aria-hidden="true">${number}</span>
            <span class="clip" dir="auto">${citation.url ? link(citation.url, name, '', name) : name}</span>
            ${host ? html`<span class="host">${host}</span>` : nothing}
          </li>`;
        })}
      </ol>
    </nav>`;
  }

  #toolbar({ settings, without }: View, actions: Actions): TemplateResult {
    const { message } = this;
    const { localize } = settings;
    // Its room is there from the first token on, so that nothing moves when it comes.
    if (message.status === 'streaming') return html`<div class="toolbar" aria-hidden="true"></div>`;
    const words = textOf(message);
    return html`<div class="toolbar" part="toolbar" role="group" aria-label=${localize('message.toolbar')}>
      ${this.#branches(message, settings.localize, actions)}
      ${
        words && !without.has('copy')
          ? html`<agent-chat-copy
              .value=${words}
              .label=${localize('message.copy')}
              .done=${localize('message.copied')}
            ></agent-chat-copy>`
          : nothing
      }
      ${
        without.has('regenerate')
          ? nothing
          : html`<button
              type="button"
              class="icon-button"
              part="toolbar-button"
              aria-label=${localize('message.regenerate')}
              title=${localize('message.regenerate')}
              @click=${() => {
                actions.act('retry', message);
              }}
            >
              ${icon('again', 'small')}
            </button>`
      }
    </div>`;
  }

  #branches(message: ChatMessage, localize: View['settings']['localize'], actions: Actions): unknown {
    const { index, count } = actions.branches(message);
    if (count < 2) return nothing;
    const step = (to: number, name: 'chevron-left' | 'chevron-right', label: string): TemplateResult =>
      html`<button
        type="button"
        class="icon-button"
        part="toolbar-button"
        aria-label=${label}
        ?disabled=${to < 0 || to >= count}
        @click=${() => {
          actions.selectBranch(message, to);
        }}
      >
        ${icon(name, 'small')}
      </button>`;
    return html`<span class="branches tabular">
      ${step(index - 1, 'chevron-left', localize('message.previous'))}
      <span>${localize('message.branch', { index: index + 1, count })}</span>
      ${step(index + 1, 'chevron-right', localize('message.next'))}
    </span>`;
  }

  #suggestions({ settings }: View, actions: Actions): unknown {
    const { suggestions = [], status } = this.message;
    if (suggestions.length === 0 || status === 'streaming' || this.message.metadata?.['answered'] === true)
      return nothing;
    return html`<div
      class="suggestions"
      part="suggestions"
      role="group"
      aria-label=${settings.localize('composer.suggestions')}
    >
      ${suggestions.map(
        (suggestion) =>
          html`<button
            type="button"
            class="chip"
            part="suggestion"
            dir="auto"
            @click=${() => {
              actions.act('suggestion', this.message, undefined, suggestion.prompt);
            }}
          >
            ${withoutBidi(suggestion.label)}
          </button>`,
      )}
    </div>`;
  }

  #user(view: View, actions: Actions): unknown {
    const { message } = this;
    const { localize } = view.settings;
    if (message.metadata?.['hidden'] === true) return nothing;
    const words = textOf(message);
    return html`<article class="message user" aria-label=${view.participants.user?.name ?? localize('user')}>
      ${
        this.editing
          ? this.#editor(words, view, actions)
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
      ${this.editing ? nothing : this.#userToolbar(words, view, actions)}
    </article>`;
  }

  #userToolbar(words: string, { settings, without }: View, actions: Actions): TemplateResult {
    const { localize } = settings;
    return html`<div class="toolbar quiet" part="toolbar" role="group" aria-label=${localize('message.toolbar')}>
      ${this.#branches(this.message, localize, actions)}
      ${
        words && !without.has('copy')
          ? html`<agent-chat-copy
              .value=${words}
              .label=${localize('message.copy')}
              .done=${localize('message.copied')}
            ></agent-chat-copy>`
          : nothing
      }
      ${
        without.has('edit')
          ? nothing
          : html`<button
              type="button"
              class="icon-button"
              part="toolbar-button"
              aria-label=${localize('message.edit')}
              title=${localize('message.edit')}
              @click=${() => {
                this.editing = true;
                void this.updateComplete.then(() => {
                  this.querySelector('textarea')?.focus();
                });
              }}
            >
              ${icon('edit', 'small')}
            </button>`
      }
    </div>`;
  }

  #editor(words: string, { settings }: View, actions: Actions): TemplateResult {
    const { localize } = settings;
    const close = (): void => {
      this.editing = false;
    };
    const send = (event: Event): void => {
      event.preventDefault();
      const text = this.querySelector('textarea')?.value.trim() ?? '';
      if (text === '') return;
      close();
      actions.edit(this.message, text);
    };
    return html`<form class="editor" @submit=${send}>
      <textarea
        class="input"
        dir="auto"
        aria-label=${localize('message.edit')}
        .value=${words}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            close();
          }
        }}
      ></textarea>
      <div class="actions">
        <button type="button" class="button ghost" @click=${close}>${localize('link.cancel')}</button>
        <button type="submit" class="button primary">${localize('composer.send')}</button>
      </div>
    </form>`;
  }
}

/** Thoughts, tools and phases next to one another are one group; what the page draws itself stands alone. */
function groupBlocks(blocks: ChatMessage['blocks'], { registries }: View, message: ChatMessage): readonly Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const own = registries.some((registry) => registry.match(block, message).length > 0);
    const last = groups.at(-1);
    if (!isWork(block) || own) groups.push({ block });
    else if (last && 'work' in last) groups[groups.length - 1] = { work: [...last.work, block] };
    else groups.push({ work: [block] });
  }
  return groups;
}

const keyOf = (group: Group): string => ('block' in group ? group.block.id : `work ${group.work[0]?.id ?? ''}`);

const note = (words: string, symbol: 'alert' | 'stop' = 'alert', action: unknown = nothing): TemplateResult =>
  html`<div class="line">${icon(symbol, 'small')}<span>${words}</span>${action}</div>`;

/** Dots at once, words after a while. */
const waiting = ({ settings }: View): TemplateResult =>
  html`<div class="waiting" role="presentation">
    <span class="dots" aria-hidden="true"
      ><i class="breathing"></i><i class="breathing"></i><i class="breathing"></i
    ></span>
    <span class="soon">${settings.localize('state.connecting')}</span>
    <span class="late">${settings.localize('state.waiting')}</span>
  </div>`;

/** One of the four hues of the look, the same for a name every time. */
const hueOf = (name: string): number =>
  ((Array.from(name).reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) >>> 0) % 4) + 1;

function hostOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : new URL(url).host;
  } catch {
    return undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-message': AgentChatMessage;
  }
}
