/** The question below an app whose request needs the user's permission. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { renderRealTarget } from '../../markdown/render/link-template.ts';
import { settledPress } from '../../primitives/settled-press.ts';
import { deceptiveTarget } from '../../safety/link-text.ts';
import { safeLink, withoutInvisible } from '../../safety/urls.ts';
import { inSentence } from '../core/in-sentence.ts';
import type { RenderContext } from '../core/renderer.ts';
import { argumentList } from '../actions/permission-arguments.ts';
import { boundedText } from '../tools/bounded-text.ts';
import type { AppRequest } from './host-protocol.ts';

export interface AppQuestion {
  readonly request: AppRequest;
  /** The name of the app. */
  readonly name: string;
  readonly context: RenderContext;
  /** Whether it can be answered now. */
  readonly settled: boolean;
  /** Receives presses before the buttons do. */
  readonly early: EventListenerObject & AddEventListenerOptions;
  /** `always`: for as long as the app is visible. */
  accept(always?: boolean): void;
  refuse(): void;
}

export function appQuestion(question: AppQuestion): TemplateResult {
  const title = titleOf(question);
  return html`<section
    class="notice app-request"
    role="group"
    aria-label=${title}
    @click=${question.early}
    ${settledPress(title)}
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
    case 'full':
      return `${name}: ${localize('app.full')}`;
  }
}

function details(question: AppQuestion): TemplateResult {
  const { request, context } = question;
  const { localize } = context.settings;
  switch (request.kind) {
    case 'message':
      return html`<div class="because" dir="auto">${boundedText(request.text, localize)}</div>
        ${actions(question, button(question, localize('app.send')))}`;
    case 'link':
      return html`${address(request.url, localize)} ${actions(question, link(question, request.url))}`;
    // An app that often loads data is allowed once for as long as it is visible.
    case 'tool':
      return html`${exactName(request.params.name, localize)}${request.params.arguments ? argumentList(JSON.stringify(request.params.arguments), localize) : nothing}
      ${actions(
        question,
        html`${button(question, localize('ask.allow'))}${button(question, localize('ask.always'), true)}`,
      )}`;
    case 'full':
      return actions(question, button(question, localize('app.full')));
  }
}

/** The address, and the host in it if it is not all visible or seems to name another one, as after a user name. */
function address(text: string, localize: Localize): TemplateResult {
  const url = safeLink(text);
  const href = url?.href ?? '';
  const shown = boundedText(href, localize);
  const host = url && (shown === href ? deceptiveTarget(url, href) : url.hostname);
  return html`<div class="because" dir="ltr">${shown}${host ? renderRealTarget(host) : nothing}</div>`;
}

/** The exact name of a tool, if the sentence shows another one: the page gets all its characters. */
const exactName = (name: string, localize: Localize): unknown =>
  name === inSentence(withoutInvisible(name))
    ? nothing
    : html`<div class="because" dir="ltr">${boundedText(name, localize)}</div>`;

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

/** Opens a link like any other of the transcript: the page receives the event, and unlisted hosts are confirmed. */
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
