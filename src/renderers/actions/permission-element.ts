import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { isRememberable } from '../../model/is-rememberable.ts';
import { hasRoundedNumber } from '../../model/text/is-lossless.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { button, actionCard } from '../core/action-card.ts';
import { argumentFields, editedArguments, type ArgumentField } from '../tools/edit-arguments.ts';
import { argumentList, pairs } from './permission-arguments.ts';
import { asText, extraText } from '../core/block-extra.ts';
import type { RenderContext } from '../core/renderer.ts';
import { longText } from '../core/long-text.ts';
import { agentOf, messageAuthor, senderName } from '../core/author-name.ts';
import { parseArgumentEntries } from '../tools/format-arguments.ts';
import { limitMarks, showInvisible } from '../../safety/show-invisible.ts';
import { inSentence } from '../core/in-sentence.ts';
import { readableName } from '../tools/humanize-name.ts';

/** The visible part of the card: the answers, a note for a denial, or the editor of the arguments. */
type Mode = 'ask' | 'note' | 'edit';

/**
 * A permission request: who wants to do what, with which arguments, and the user's answers. The widget's own text is
 * trusted; text of the agent is marked as the agent's.
 */
export class AgentChatPermission extends LightElement {
  static override properties = {
    block: { attribute: false },
    context: { attribute: false },
    mode: { state: true },
    wrong: { state: true },
  };
  declare block: BlockOf<'action'>;
  declare context: RenderContext;
  declare protected mode: Mode;
  /** Fields with invalid JSON. */
  declare protected wrong: ReadonlySet<ArgumentField>;
  #fields: readonly ArgumentField[] = [];

  constructor() {
    super();
    this.mode = 'ask';
    this.wrong = new Set();
    this.addEventListener('keydown', this.#closeOnEscape);
  }

  protected override render(): TemplateResult {
    const { block, context } = this;
    return actionCard({ symbol: 'shield', title: this.#title, localize: context.settings.localize }, [
      reason(block, context),
      this.mode === 'edit' ? this.#editor() : [this.#details(), this.mode === 'note' ? this.#note() : this.#answers()],
    ]);
  }

  /** The page's own question for its tools; otherwise the widget's question. */
  get #title(): string {
    const { block, context } = this;
    const { settings, message } = context;
    const { localize } = settings;
    // The permission is for the agent that the page has configured, whatever name the message has.
    const sender = { agentId: message.agentId };
    const configured = agentOf(sender, settings.agents ?? []);
    const name = senderName(sender, settings);
    // The page has not chosen the name of a discovered agent.
    const agent = configured && 'discovered' in configured ? inSentence(name) : name;
    const pageQuestion = extraText(block, 'question');
    // It may repeat arguments.
    if (pageQuestion !== '') return maskDisplayedText(pageQuestion);
    if (isForAgent(block)) return localize('ask.agent', { agent: toolName(block) });
    const tool = inSentence(readableName(toolName(block)));
    const server = inSentence(serverName(block));
    return server
      ? localize('ask.permission-server', { agent, tool, server })
      : localize('ask.permission', { agent, tool });
  }

  /** The widget's description of the call; separately the arguments, whose names and values come from the agent. */
  #details(): unknown {
    const { block, context } = this;
    const { localize } = context.settings;
    const type = `ask.type.${extraText(block, 'permissionType')}`;
    const name = exactName(block);
    const params = block.tool_call?.params ?? '';
    if (isForAgent(block)) return pairs(parseArgumentEntries(params) ?? [], localize);
    // Two tools may have similar display names.
    const named =
      name !== inSentence(readableName(name)) || name !== showInvisible(name) || extraText(block, 'question') !== '';
    const server = serverName(block);
    const isServerCut = server !== inSentence(server);
    const details: readonly (readonly [string, string])[] = [
      ...(named ? [[localize('ask.tool'), name] as const] : []),
      ...(isServerCut ? [[localize('ask.server'), server] as const] : []),
      ...(localize.has(type) ? [[localize('ask.type'), localize(type)] as const] : []),
    ];
    return [pairs(details, localize), argumentList(params, localize)];
  }

  #answers(): TemplateResult {
    const { block, context } = this;
    const { localize } = context.settings;
    const { act } = context;
    const tool = inSentence(readableName(toolName(block)));
    return html`<div class="actions">
        ${button('primary', localize('ask.allow'), () => {
          act('granted');
        })}
        ${
          canRemember(block)
            ? html`<button
                type="button"
                class="button plain"
                aria-label=${localize('ask.always-tool', { tool })}
                title=${localize('ask.always-tool', { tool })}
                @click=${() => {
                  act('always');
                }}
              >
                ${localize('ask.always')}
              </button>`
            : nothing
        }
        ${button('plain push', localize('ask.deny'), () => {
          act('denied');
        })}
      </div>
      <div class="actions ask-more">
        ${
          block.extra?.['editable'] === true && !hasRoundedNumber(block.tool_call?.params ?? '')
            ? button('ghost', localize('ask.edit'), () => {
                this.#fields = argumentFields(block.tool_call?.params);
                this.#showMode('edit', '.ask-fields .field, .ask-fields input');
              })
            : nothing
        }
        ${button('ghost', localize('ask.deny-note'), () => {
          this.#showMode('note', 'textarea');
        })}
      </div>`;
  }

  #note(): TemplateResult {
    const { localize } = this.context.settings;
    const deny = (event: SubmitEvent): void => {
      event.preventDefault();
      const note = new FormData(event.currentTarget as HTMLFormElement).get('note');
      const trimmed = typeof note === 'string' ? note.trim() : '';
      this.context.act('denied', undefined, trimmed === '' ? {} : { note: trimmed });
    };
    return html`<form class="answer" @submit=${deny}>
      <label class="ask-field">
        <span>${localize('ask.note')}</span>
        <textarea class="field" name="note" rows="2" maxlength="4000" dir="auto"></textarea>
      </label>
      <div class="actions">
        <button class="button plain" type="submit">${localize('ask.deny')}</button>
        ${button('ghost', localize('ask.back'), this.#goBack)}
      </div>
    </form>`;
  }

  #editor(): TemplateResult {
    const { localize } = this.context.settings;
    return html`<form class="answer ask-fields" novalidate @submit=${this.#allowEdited}>
      <fieldset class="ask-arguments">
        <legend class="label">${localize('ask.arguments')}</legend>
        ${this.#fields.map((field) => this.#field(field))}
      </fieldset>
      <div class="actions">
        <button class="button primary" type="submit">${localize('ask.allow')}</button>
        ${button('ghost', localize('ask.back'), this.#goBack)}
      </div>
    </form>`;
  }

  #field(field: ArgumentField): TemplateResult {
    const { localize } = this.context.settings;
    const isInvalid = this.wrong.has(field);
    const label = field.name === undefined ? localize('ask.arguments') : showInvisible(maskDisplayedText(field.name));
    const long = field.kind === 'json' || field.shown.length > 60 || field.shown.includes('\n');
    const rows = Math.min(8, Math.max(2, field.shown.split('\n').length));
    return html`<label class="ask-field">
      <span dir="auto">${label}</span>
      ${
        field.kind === 'boolean'
          ? html`<select class="field" name="value" aria-label=${label}>
              ${['true', 'false'].map((value) => html`<option ?selected=${value === field.shown}>${value}</option>`)}
            </select>`
          : long
            ? html`<textarea
                class="field code"
                name="value"
                rows=${rows}
                spellcheck="false"
                aria-invalid=${isInvalid ? 'true' : nothing}
                .defaultValue=${field.shown}
              ></textarea>`
            : html`<input
                class="field code"
                name="value"
                inputmode=${field.kind === 'number' ? 'decimal' : nothing}
                autocomplete="off"
                spellcheck="false"
                aria-invalid=${isInvalid ? 'true' : nothing}
                .defaultValue=${field.shown}
              />`
      }
      ${
        isInvalid
          ? html`<span class="problem" role="alert"
              >${localize(field.kind === 'number' ? 'ask.wrong.number' : 'ask.not-json')}</span
            >`
          : nothing
      }
    </label>`;
  }

  readonly #allowEdited = (event: SubmitEvent): void => {
    event.preventDefault();
    const texts = new FormData(event.currentTarget as HTMLFormElement).getAll('value').map((value, index) => {
      const text = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
      const { shown = '' } = this.#fields[index] ?? {};
      return text === asEntered(shown) ? shown : text;
    });
    const edited = editedArguments(this.#fields, texts);
    if ('invalid' in edited) {
      this.wrong = edited.invalid;
      this.#focusSoon('[aria-invalid]');
      return;
    }
    const isUnchanged = this.#fields.every(({ shown }, index) => shown === texts[index]);
    this.context.act('granted', undefined, isUnchanged ? {} : { arguments: edited.value });
  };

  #showMode(mode: Mode, selector: string): void {
    this.mode = mode;
    this.wrong = new Set();
    this.#focusSoon(selector);
  }

  readonly #goBack = (): void => {
    this.#showMode('ask', this.mode === 'note' ? '.ask-more button:last-of-type' : '.ask-more button');
  };

  #focusSoon(selector: string): void {
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>(selector)?.focus();
    });
  }

  /** Escape closes the note or the editor; otherwise the widget would stop the reply. */
  readonly #closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || this.mode === 'ask') return;
    event.preventDefault();
    event.stopPropagation();
    this.#goBack();
  };
}

/** A text as a control gives it back: with other line ends, and without halves of characters. */
const asEntered = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\p{Surrogate}/gu, '\ufffd');

/** Whether the request grants permissions to an agent of the page instead of allowing one call. */
const isForAgent = ({ extra }: BlockOf<'action'>): boolean => extra?.['forAgent'] === true;

/** "Always allow" is not offered for unnamed tools: it would allow every tool. */
const canRemember = (block: BlockOf<'action'>): boolean => toolName(block) !== '' && isRememberable(block);

/** The page's description of its tool, or the agent's reason, marked as the agent's. */
function reason({ content, extra }: BlockOf<'action'>, context: RenderContext): unknown {
  if (!content) return nothing;
  const { localize } = context.settings;
  if (extra?.['byPage'] === true) return html`<p dir="auto">${content}</p>`;
  const reasonText = longText(maskDisplayedText(content), localize, (start) => limitMarks(withoutInvisible(start)));
  return html`<p class="because" dir="auto">
    <q>${reasonText}</q><br /><span>${localize('ask.reason', { name: messageAuthor(context) })}</span>
  </p>`;
}

const exactName = (block: BlockOf<'action'>): string => asText(block.tool_call?.name ?? extraText(block, 'toolName'));

/** The name of the tool without invisible characters, some of which would change the order of the others. */
export const toolName = (block: BlockOf<'action'>): string => withoutInvisible(exactName(block));

const serverName = (block: BlockOf<'action'>): string =>
  withoutInvisible(asText(block.tool_call?.server_name ?? extraText(block, 'serverName')));
