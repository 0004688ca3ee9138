import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../model/blocks.ts';
import { LightElement } from '../primitives/light-element.ts';
import { maskShown } from '../safety/sent-secrets.ts';
import { withoutBidi } from '../safety/urls.ts';
import { button, card } from './ask-parts.ts';
import { argumentFields, editedArguments, type ArgumentField } from './edited-arguments.ts';
import { asText, extraText } from './extra.ts';
import type { RenderContext } from './renderer.ts';
import { pairsOf } from './tool-arguments.ts';
import { readableName } from './tool-name.ts';

/** Its answers, a note that goes with a denial, or the arguments to be changed. */
type Mode = 'ask' | 'note' | 'edit';

/**
 * A permission that is asked for: who wants to do what, with which arguments, and the reader's answers. What stands here in our
 * words is ours; what comes from the agent is shown as the agent's.
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
  /** Fields whose words can't be read. */
  declare protected wrong: ReadonlySet<ArgumentField>;
  #fields: readonly ArgumentField[] = [];

  constructor() {
    super();
    this.mode = 'ask';
    this.wrong = new Set();
    this.addEventListener('keydown', this.#pressed);
  }

  protected override render(): TemplateResult {
    const { block, context } = this;
    return card({ symbol: 'shield', title: this.#title }, [
      reason(block, context),
      this.mode === 'edit' ? this.#editor() : [this.#facts(), this.mode === 'note' ? this.#note() : this.#answers()],
    ]);
  }

  /** A question of the page's own, for its own tools; else one in our words. */
  get #title(): string {
    const { block, context } = this;
    const { localize, agentName } = context.settings;
    const own = extraText(block, 'question');
    if (own !== '') return own;
    if (isForAgent(block)) return localize('ask.agent', { agent: toolName(block) });
    const tool = readableName(toolName(block));
    const server = serverName(block);
    return server
      ? localize('ask.permission-server', { agent: agentName, tool, server })
      : localize('ask.permission', { agent: agentName, tool });
  }

  #facts(): unknown {
    const { block, context } = this;
    const { localize } = context.settings;
    const type = `ask.type.${extraText(block, 'permissionType')}`;
    const name = toolName(block);
    const given = pairsOf(block.tool_call?.params) ?? rawArguments(block, context);
    if (isForAgent(block)) return pairs(given, context);
    // Two names may read alike.
    const named = name !== readableName(name) || extraText(block, 'question') !== '';
    const facts: readonly (readonly [string, string])[] = [
      ...(named ? [[localize('ask.tool'), name] as const] : []),
      ...(localize.has(type) ? [[localize('ask.type'), localize(type)] as const] : []),
      ...given,
    ];
    return pairs(facts, context);
  }

  #answers(): TemplateResult {
    const { block, context } = this;
    const { localize } = context.settings;
    const { act } = context;
    const tool = readableName(toolName(block));
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
          block.extra?.['editable'] === true
            ? button('ghost', localize('ask.edit'), () => {
                this.#fields = argumentFields(block.tool_call?.params);
                this.#turn('edit', '.ask-fields .field, .ask-fields input');
              })
            : nothing
        }
        ${button('ghost', localize('ask.deny-note'), () => {
          this.#turn('note', 'textarea');
        })}
      </div>`;
  }

  #note(): TemplateResult {
    const { localize } = this.context.settings;
    const deny = (event: SubmitEvent): void => {
      event.preventDefault();
      const note = new FormData(event.currentTarget as HTMLFormElement).get('note');
      const words = typeof note === 'string' ? note.trim() : '';
      this.context.act('denied', undefined, words === '' ? {} : { note: words });
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
      ${this.#fields.map((field) => this.#field(field))}
      <div class="actions">
        <button class="button primary" type="submit">${localize('ask.allow')}</button>
        ${button('ghost', localize('ask.back'), this.#goBack)}
      </div>
    </form>`;
  }

  #field(field: ArgumentField): TemplateResult {
    const { localize } = this.context.settings;
    const wrong = this.wrong.has(field);
    const label = field.name === undefined ? localize('ask.arguments') : withoutBidi(maskShown(field.name));
    const long = field.kind === 'json' || field.shown.length > 60 || field.shown.includes('\n');
    const rows = Math.min(8, Math.max(2, field.shown.split('\n').length));
    return html`<label class="ask-field">
      <span dir="auto">${label}</span>
      ${
        field.kind === 'boolean'
          ? html`<select class="field" name="value" aria-label=${label}>
              ${['true', 'false'].map((word) => html`<option ?selected=${word === field.shown}>${word}</option>`)}
            </select>`
          : long
            ? html`<textarea
                class="field code"
                name="value"
                rows=${rows}
                spellcheck="false"
                aria-invalid=${wrong ? 'true' : nothing}
                .defaultValue=${field.shown}
              ></textarea>`
            : html`<input
                class="field code"
                name="value"
                inputmode=${field.kind === 'number' ? 'decimal' : nothing}
                autocomplete="off"
                spellcheck="false"
                aria-invalid=${wrong ? 'true' : nothing}
                .defaultValue=${field.shown}
              />`
      }
      ${
        wrong
          ? html`<span class="problem" role="alert"
              >${localize(field.kind === 'number' ? 'ask.wrong.number' : 'ask.not-json')}</span
            >`
          : nothing
      }
    </label>`;
  }

  readonly #allowEdited = (event: SubmitEvent): void => {
    event.preventDefault();
    const words = new FormData(event.currentTarget as HTMLFormElement)
      .getAll('value')
      .map((value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''));
    const edited = editedArguments(this.#fields, words);
    if ('wrong' in edited) {
      this.wrong = edited.wrong;
      this.#focusSoon('[aria-invalid]');
      return;
    }
    const same = this.#fields.every(({ shown }, index) => shown === words[index]);
    this.context.act('granted', undefined, same ? {} : { arguments: edited.value });
  };

  #turn(mode: Mode, place: string): void {
    this.mode = mode;
    this.wrong = new Set();
    this.#focusSoon(place);
  }

  readonly #goBack = (): void => {
    this.#turn('ask', this.mode === 'note' ? '.ask-more button:last-of-type' : '.ask-more button');
  };

  #focusSoon(place: string): void {
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>(place)?.focus();
    });
  }

  /** Escape leaves what was begun here; it would stop the reply. */
  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || this.mode === 'ask') return;
    event.preventDefault();
    event.stopPropagation();
    this.#goBack();
  };
}

/** It is not about a call, but about what an agent of the page may do at all. */
const isForAgent = ({ extra }: BlockOf<'action'>): boolean => extra?.['forAgent'] === true;

/** A command is its arguments: one that may always be run would be all of them. A tool without a name would be every tool. */
const canRemember = (block: BlockOf<'action'>): boolean =>
  toolName(block) !== '' && extraText(block, 'permissionType') !== 'command' && block.extra?.['rememberable'] !== false;

/** The page's own words about its tool, or the agent's words of reason, marked as its own. */
function reason({ content, extra }: BlockOf<'action'>, { settings, message }: RenderContext): unknown {
  if (!content) return nothing;
  if (extra?.['byPage'] === true) return html`<p dir="auto">${content}</p>`;
  const name = withoutBidi(message.name ?? settings.agentName);
  return html`<p class="because" dir="auto">
    <q>${withoutBidi(maskShown(content))}</q><br /><span>${settings.localize('ask.reason', { name })}</span>
  </p>`;
}

const rawArguments = ({ tool_call }: BlockOf<'action'>, { settings }: RenderContext): (readonly [string, string])[] =>
  tool_call?.params ? [[settings.localize('ask.arguments'), tool_call.params]] : [];

/** Name and value, the whole value one press away. */
function pairs(list: readonly (readonly [string, string])[], { settings }: RenderContext): unknown {
  if (list.length === 0) return nothing;
  return html`<dl class="pairs" aria-label=${settings.localize('ask.arguments')}>
    ${list.map(([name, value]) => {
      const shown = withoutBidi(maskShown(value));
      return html`<dt>${withoutBidi(maskShown(name))}</dt>
        <dd>
          ${
            shown.length > 60 || shown.includes('\n')
              ? html`<details>
                  <summary class="clip">${shown}</summary>
                  <pre tabindex="0">${shown}</pre>
                </details>`
              : shown
          }
        </dd>`;
    })}
  </dl>`;
}

/** The tool as it calls itself. */
export const toolName = (block: BlockOf<'action'>): string =>
  withoutBidi(asText(block.tool_call?.name ?? extraText(block, 'toolName')));

const serverName = (block: BlockOf<'action'>): string =>
  withoutBidi(asText(block.tool_call?.server_name ?? extraText(block, 'serverName')));
