/** The question below an app whose request needs the user's permission. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { renderRealTarget } from '../../markdown/render/link-template.ts';
import { settledPress } from '../../primitives/press/settled-press.ts';
import { deceptiveTarget } from '../../safety/link-text.ts';
import { safeLink, withoutInvisible } from '../../safety/urls.ts';
import { inSentence } from '../core/in-sentence.ts';
import type { RenderContext } from '../core/renderer.ts';
import { argumentList } from '../actions/permission-arguments.ts';
import { textToApprove } from '../tools/text-to-approve.ts';
import type { AppRequest } from './host-protocol.ts';

export interface AppQuestion {
  readonly request: AppRequest;
  /** The name of the app. */
  readonly name: string;
  readonly context: RenderContext;
  /** Whether the question has been visible for long enough to be answered. */
  readonly settled: boolean;
  /**
   * Ignores all clicks until `settled`, also of the keyboard. `settledPress` only ignores those of a pointer that began
   * elsewhere or on another question.
   */
  readonly clickGuard: EventListenerObject & AddEventListenerOptions;
  /** `always` (only for tools): also allows later calls of the same tool, until the app is removed or replaced. */
  accept(always?: boolean): void;
  refuse(): void;
}

export function appQuestion(question: AppQuestion): TemplateResult {
  const title = titleOf(question);
  return html`<section
    class="notice app-request"
    role="group"
    aria-label=${title}
    @click=${question.clickGuard}
    ${settledPress(JSON.stringify(question.request))}
  >
    <div class="grow">
      <b>${title}</b>
      ${details(question)}
    </div>
  </section>`;
}

function titleOf({ request, name: appName, context }: AppQuestion): string {
  const { localize } = context.settings;
  const name = inSentence(appName);
  switch (request.kind) {
    case 'message':
      return localize('app.message', { name });
    case 'link':
      return localize('app.link', { name });
    case 'tool':
      return localize('app.tool', { name, tool: inSentence(withoutInvisible(request.params.name)) });
    case 'fullscreen':
      return `${name}: ${localize('app.full')}`;
  }
}

function details(question: AppQuestion): TemplateResult {
  const { request, context } = question;
  const { localize } = context.settings;
  switch (request.kind) {
    case 'message':
      return html`<div class="because" dir="auto">${textToApprove(request.text, localize)}</div>
        ${actions(question, button(question, localize('app.send')))}`;
    case 'link':
      return html`${address(request.url, localize)} ${actions(question, link(question, request.url))}`;
    // An app may call a tool often to load data, so the user can allow its later calls too.
    case 'tool':
      return html`${exactName(request.params.name, localize)}${request.params.arguments ? argumentList(JSON.stringify(request.params.arguments), localize) : nothing}
      ${actions(
        question,
        html`${button(question, localize('ask.allow'))}${button(question, localize('ask.always'), true)}`,
      )}`;
    case 'fullscreen':
      return actions(question, button(question, localize('app.full')));
  }
}

/** The address. Its host follows if the address is cut, or seems to have another one (`https://bank.example@evil.example`). */
function address(text: string, localize: Localize): TemplateResult {
  const url = safeLink(text);
  const href = url?.href ?? '';
  const shown = textToApprove(href, localize);
  const host = url && (shown === href ? deceptiveTarget(url, href) : url.hostname);
  return html`<div class="because" dir="ltr">${shown}${host ? renderRealTarget(host) : nothing}</div>`;
}

/** The exact name of a tool, if the title shows it without some characters: the page receives all of them. */
const exactName = (name: string, localize: Localize): unknown =>
  name === inSentence(withoutInvisible(name))
    ? nothing
    : html`<div class="because" dir="ltr">${textToApprove(name, localize)}</div>`;

const disabled = ({ settled }: AppQuestion): unknown => (settled ? nothing : 'true');

const button = (question: AppQuestion, label: string, always = false): TemplateResult =>
  html`<button
    type="button"
    class="button plain"
    aria-disabled=${disabled(question)}
    @click=${() => {
      question.accept(always);
    }}
  >
    ${label}
  </button>`;

/** Opens like any link of the transcript: the page may cancel it, and the user confirms a host that the page has not listed. */
const link = (question: AppQuestion, url: string): TemplateResult =>
  html`<a
    class="button plain"
    aria-disabled=${disabled(question)}
    href=${safeLink(url)?.href ?? ''}
    target="_blank"
    rel="noopener noreferrer nofollow"
    @click=${() => {
      // The click still has to bubble to the widget, which must find the link in the document. So the link must not be
      // removed before then, not even in a microtask.
      setTimeout(() => {
        question.accept();
      });
    }}
    >${question.context.settings.localize('link.open')}</a
  >`;

const actions = ({ context, refuse }: AppQuestion, accept: TemplateResult): TemplateResult =>
  html`<div class="actions">
    ${accept}
    <button type="button" class="button ghost" @click=${refuse}>${context.settings.localize('app.refuse')}</button>
  </div>`;
