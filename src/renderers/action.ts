/** What waits for the reader: permissions, confirmations, questions, limits. Answered, each is one line. */
import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../model/blocks.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import { maskShown } from '../safety/sent-secrets.ts';
import { withoutBidi } from '../safety/urls.ts';
import { extraText, recordsOf } from './extra.ts';
import { rateLimit } from './rate-limit.ts';
import type { RenderContext } from './renderer.ts';
import { pairsOf } from './tool-arguments.ts';

export interface ActionProps {
  readonly block: BlockOf<'action'>;
  readonly context: RenderContext;
}
type ActionView = (props: ActionProps) => TemplateResult;

export const actionView: ActionView = (props) => {
  const { action_type } = props.block;
  if (!Object.hasOwn(views, action_type)) throw new TypeError(`There is no action type "${action_type}".`);
  return views[action_type](props);
};

const permission: ActionView = ({ block, context }) => {
  const { localize } = context.settings;
  const tool = toolName(block);
  if (block.status !== 'pending') return answered(block, context, tool);
  const server = block.tool_call?.server_name ?? extraText(block, 'serverName');
  const title = server ? localize('ask.permission-server', { tool, server }) : localize('ask.permission', { tool });
  const type = `ask.type.${extraText(block, 'permissionType')}`;
  return card('shield', title, context, [
    reason(block, context),
    pairs(
      [
        ...(localize.has(type) ? [[localize('ask.type'), localize(type)] as const] : []),
        ...(pairsOf(block.tool_call?.params) ?? rawArguments(block, context)),
      ],
      context,
    ),
    html`<div class="actions">
      ${button('primary', localize('ask.allow'), context, 'granted')}
      ${button('plain push', localize('ask.deny'), context, 'denied')}
    </div>`,
  ]);
};

const confirmation: ActionView = ({ block, context }) => {
  const { localize } = context.settings;
  if (block.status !== 'pending') return answered(block, context, block.content ?? '');
  const options = optionsOf(block);
  return card('question', block.content ?? localize('ask.confirm'), context, [
    html`<div class="actions">
      ${
        options.length > 0
          ? options.map(({ label, value }, index) =>
              button(index === 0 ? 'primary' : 'plain', label, context, 'answered', value),
            )
          : [
              button('primary', localize('ask.yes'), context, 'granted'),
              button('plain', localize('ask.no'), context, 'denied'),
            ]
      }
    </div>`,
  ]);
};

const question: ActionView = ({ block, context }) => {
  const { localize } = context.settings;
  const title = block.content ?? localize('ask.question');
  if (block.status !== 'pending') return answered(block, context, title);
  const answer = (event: SubmitEvent): void => {
    event.preventDefault();
    const words = new FormData(event.currentTarget as HTMLFormElement).get('answer');
    if (typeof words === 'string' && words.trim() !== '') context.act('answered', words.trim());
  };
  return card('question', title, context, [
    html`<div class="choices">
      ${optionsOf(block).map(
        ({ label, value, description }) =>
          html`<button
            type="button"
            class="choice"
            @click=${() => {
              context.act('answered', value);
            }}
          >
            <b>${label}</b> ${description ? html`<span class="muted">${description}</span>` : nothing}
          </button>`,
      )}
    </div>`,
    html`<form class="answer" @submit=${answer}>
      <input
        class="field"
        name="answer"
        aria-label=${localize('ask.answer')}
        placeholder=${localize('ask.answer')}
        dir="auto"
      />
      <div class="actions">
        <button class="button primary" type="submit">${localize('ask.submit')}</button>
        ${button('ghost', localize('ask.skip'), context, 'dismissed')}
      </div>
    </form>`,
  ]);
};

const toolLimit: ActionView = ({ block, context }) => {
  const { localize } = context.settings;
  if (block.status !== 'pending') {
    return line(
      block.status === 'granted' ? 'done' : 'pause',
      localize(block.status === 'granted' ? 'limit.continued' : 'limit.stopped'),
    );
  }
  return html`<section class="notice" part="block block-action" role="group" aria-label=${localize('limit.reached')}>
    ${icon('pause')}
    <div class="grow split">
      <div class="grow">
        <b>${localize('limit.reached')}</b>
        <p class="muted">${localize('limit.explain')}</p>
      </div>
      <div class="actions">
        ${button('ghost', localize('limit.stop'), context, 'denied')}
        ${button('plain', localize('limit.continue'), context, 'granted')}
      </div>
    </div>
  </section>`;
};

const views: Readonly<Record<BlockOf<'action'>['action_type'], ActionView>> = {
  tool_call_permission: permission,
  confirmation,
  question,
  interrupt: question,
  maximum_tool_calls_reached: toolLimit,
  rate_limit: rateLimit,
};

const card = (symbol: IconName, title: string, _context: RenderContext, body: readonly unknown[]): TemplateResult =>
  html`<section class="card ask" part="block block-action" role="group" aria-label=${withoutBidi(title)}>
    <div class="title">${icon(symbol)}<span class="grow" dir="auto">${withoutBidi(title)}</span></div>
    <div class="body">${body}</div>
  </section>`;

/** The agent's own words of reason, marked as its own. */
function reason({ content }: BlockOf<'action'>, { settings, message }: RenderContext): unknown {
  if (!content) return nothing;
  const name = withoutBidi(message.name ?? settings.agentName);
  return html`<p class="because" dir="auto">
    “${withoutBidi(maskShown(content))}”<br /><span>${settings.localize('ask.reason', { name })}</span>
  </p>`;
}

const rawArguments = ({ tool_call }: BlockOf<'action'>, { settings }: RenderContext): (readonly [string, string])[] =>
  tool_call?.params ? [[settings.localize('ask.arguments'), tool_call.params]] : [];

/** Name and value, the whole value one click away. */
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

const button = (
  style: string,
  label: string,
  { act }: RenderContext,
  decision: string,
  payload?: unknown,
): TemplateResult =>
  html`<button
    type="button"
    class="button ${style}"
    @click=${() => {
      act(decision, payload);
    }}
  >
    ${label}
  </button>`;

function answered(block: BlockOf<'action'>, { settings }: RenderContext, tool: string): TemplateResult {
  const { localize } = settings;
  const decided = block.extra?.['decided'];
  const time = localize.time(typeof decided === 'number' ? decided : block.timestamp);
  if (block.status === 'cancel') return line('open', localize('ask.cancelled', { tool }));
  const permission = block.action_type === 'tool_call_permission';
  if (block.status === 'denied') return line('failed', localize('ask.denied', { tool, time }));
  return line('done', permission ? localize('ask.allowed', { tool, time }) : localize('ask.answered', { time }));
}

const line = (symbol: IconName, words: string): TemplateResult =>
  html`<div class="line" part="block block-action">
    ${icon(symbol, 'small')}<span dir="auto">${withoutBidi(words)}</span>
  </div>`;

const toolName = (block: BlockOf<'action'>): string =>
  withoutBidi(block.tool_call?.name ?? extraText(block, 'toolName'));

interface Option {
  readonly label: string;
  readonly value: unknown;
  readonly description?: string;
}

/** A list that is longer is no question any more. */
const MAX_OPTIONS = 200;

function optionsOf({ extra }: BlockOf<'action'>): readonly Option[] {
  return recordsOf(extra?.['options'])
    .slice(0, MAX_OPTIONS)
    .flatMap(({ label, value, description }) =>
      typeof label === 'string'
        ? [
            {
              label: withoutBidi(label),
              value: value ?? label,
              ...(typeof description === 'string' && { description: withoutBidi(description) }),
            },
          ]
        : [],
    );
}
