/** The shared parts of cards that wait for the user, and the line that replaces them once they are answered. */
import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { validTime } from '../../model/valid-time.ts';
import type { Localize } from '../../locales/localize.ts';
import type { IconName } from '../../primitives/icon.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { leaveChangedForm, leaveFilledCard } from '../../primitives/leave-field.ts';
import { settledPress } from '../../primitives/press/settled-press.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { showExactly, showInvisible } from '../../safety/show-invisible.ts';
import { extraText, recordsOf } from './block-extra.ts';
import { longText } from './long-text.ts';
import { shortText } from './short-text.ts';
import type { RenderContext } from './renderer.ts';

export interface ActionProps {
  readonly block: BlockOf<'action'>;
  readonly context: RenderContext;
}
export type ActionView = (props: ActionProps) => TemplateResult;

interface Card {
  readonly symbol: IconName;
  readonly title: string;
  readonly localize: Localize;
  /** Shown next to the title, such as the page number. */
  readonly aside?: string | undefined;
  /** Whether the card has entries of the user that are not visible. */
  readonly entered?: boolean;
  /** The id of the block if a text may answer it: one that was out of view is answered by none. */
  readonly question?: string;
  /** The agent whose text the title is. */
  readonly author?: string;
}

/** A longer title may scroll (characters). */
const TITLE_LENGTH = 400;

export const actionCard = (
  { symbol, title, localize, aside, entered = false, question, author }: Card,
  body: unknown,
): TemplateResult =>
  html`<section
    class="card ask"
    part="block block-action"
    role="group"
    aria-label=${shortText(title)}
    data-question=${question ?? nothing}
    data-entered=${entered ? '' : nothing}
    @keydown=${question === undefined ? leaveChangedForm : leaveFilledCard}
    ${settledPress()}
  >
    <div class="title">
      ${lazyIcon(symbol)}<span class="grow" dir="auto" tabindex=${title.length > TITLE_LENGTH ? '0' : nothing}
        >${longText(title, localize, withoutInvisible)}</span
      >
      ${aside ? html`<span class="label tabular">${aside}</span>` : nothing}
    </div>
    <div class="body settling">
      ${author === undefined ? nothing : html`<p class="muted" dir="auto">${localize('ui.from', { name: author })}</p>`}${body}
    </div>
  </section>`;

export const button = (style: string, label: string, press: () => void): TemplateResult =>
  html`<button type="button" class="button ${style}" @click=${press}>${label}</button>`;

/** A button that answers. */
export const decision = (
  style: string,
  label: string,
  { act }: RenderContext,
  action: string,
  payload?: unknown,
): TemplateResult =>
  button(style, label, () => {
    act(action, payload);
  });

export const outcomeLine = (
  symbol: IconName,
  text: unknown,
  more: unknown = nothing,
  before: unknown = nothing,
): TemplateResult =>
  html`<div class="line" part="block block-action">
    ${before}${lazyIcon(symbol, 'small')}<span dir="auto"
      >${typeof text === 'string' ? withoutInvisible(text) : text}</span
    >${more}
  </div>`;

/** The time of the answer. */
export function answerTime({ extra, timestamp }: BlockOf<'action'>, { settings }: RenderContext): string {
  const decided = extra?.['decided'];
  return settings.localize.time(typeof decided === 'number' ? validTime(decided, 0) : validTime(timestamp, 0));
}

/** The outcome of a question: one line, or the question and below it the answer. */
export function answeredLine(block: BlockOf<'action'>, context: RenderContext): TemplateResult {
  const { localize } = context.settings;
  const time = answerTime(block, context);
  if (block.status === 'cancel') return outcomeLine('open', around(block, localize, localize('ask.cancelled', TITLE)));
  if (block.status === 'denied')
    return outcomeLine('failed', around(block, localize, localize('ask.denied', { ...TITLE, time })));
  const answer = answerOf(block, context);
  const more = answer === '' ? nothing : answerTextLine(answer);
  if (!block.content) return outcomeLine('done', localize('ask.answered', { time }), more);
  return html`<div class="line" part="block block-action">
    ${lazyIcon('done', 'small')}
    <div class="answered">
      <div dir="auto">${longText(maskDisplayedText(block.content), localize, withoutInvisible)}</div>
      <div><span>${localize('ask.answered', { time })}</span> ${more}</div>
    </div>
  </div>`;
}

/** A placeholder that marks the position of the question in a sentence of the catalogue. */
const TITLE = { tool: '\0' };
/** A sentence of the widget with the question in quotation marks, which the question itself cannot end. */
function around({ content }: BlockOf<'action'>, localize: Localize, sentence: string): unknown {
  const [start, end] = sentence.split(TITLE.tool);
  const title =
    content && withoutInvisible(shortText(maskDisplayedText(content))).replace(/["“”„‟«»「」『』〝〞＂]/g, ' ');
  return [start, title ? html`<q>${title}</q>` : localize('ask.question'), end];
}

/** The label of the button that was pressed, or the text that was entered. */
function answerOf(block: BlockOf<'action'>, { settings: { localize } }: RenderContext): string {
  const answer = extraText(block, 'answer');
  const options = optionsOf(block, localize);
  const isYes = answer === '' && options.length === 0 && block.action_type === 'confirmation';
  return isYes ? localize('ask.yes') : (options.find(({ value }) => value === answer)?.label ?? answer);
}

/** One line with the text that the user entered. */
export const answerTextLine = (text: string): TemplateResult =>
  html`<span class="clip" dir="auto"><q>${showInvisible(maskDisplayedText(text, ANSWER_LENGTH))}</q></span>`;

/** Maximum length of the answer that is shown (characters). */
const ANSWER_LENGTH = 200;

export interface Option {
  readonly label: string;
  readonly value: unknown;
  readonly description?: string;
}

/** Maximum number of options that are shown. */
const MAX_OPTIONS = 200;

/** Maximum length of a label that is shown. */
const LABEL_LENGTH = 1000;

export function optionsOf({ extra }: BlockOf<'action'>, localize: Localize): readonly Option[] {
  /** A label is sent as it is shown, so a long one says in itself how many of its characters are not. */
  const shortLabel = (text: string): string =>
    text.length > LABEL_LENGTH
      ? `${text.slice(0, LABEL_LENGTH)}… (${localize('ask.hidden', { count: localize.number(text.length - LABEL_LENGTH) })})`
      : text;
  return recordsOf(extra?.['options'])
    .slice(0, MAX_OPTIONS)
    .flatMap(({ label, value, description }) =>
      typeof label === 'string'
        ? [
            {
              label: shortLabel((value ?? label) === label ? showExactly(label) : withoutInvisible(label)),
              value: value ?? label,
              ...(typeof description === 'string' && { description: shortText(description) }),
            },
          ]
        : [],
    );
}
