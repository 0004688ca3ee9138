import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import type { Participants } from './contexts.ts';
import { avatar, speakerFor, type Agent } from './speaker.ts';

export interface HeaderProps {
  readonly localize: Localize;
  readonly heading: string | undefined;
  readonly agents: readonly Agent[];
  readonly agent: Agent | undefined;
  readonly participants: Participants;
  /** Undefined where conversations are not kept. */
  readonly threads: (() => void) | undefined;
  /** Undefined where there is nothing to begin anew. */
  readonly renew: (() => void) | undefined;
  /** Undefined where the browser's own search finds everything. */
  readonly find: (() => void) | undefined;
  /** Opens the menu below its button. Undefined where there is nothing in it. */
  readonly more: ((event: Event) => void) | undefined;
  /** Undefined where the panel is always there. */
  readonly close: (() => void) | undefined;
  choose(agent: string): void;
}

/** Who answers, and what can be done with the whole conversation. */
export function header(props: HeaderProps): TemplateResult {
  const { localize, heading, agents, agent, participants, threads, find, renew, more, close } = props;
  const name = heading ?? agent?.name ?? participants.assistant?.name ?? localize('agent');
  return html`<header class="header" part="header">
    <slot name="header-start"></slot>
    ${face(props)}
    <div class="grow">
      ${agents.length > 1 ? picker(props) : html`<div class="heading clip" part="heading" dir="auto">${name}</div>`}
      ${agent?.description ? html`<div class="sub clip" dir="auto">${agent.description}</div>` : nothing}
    </div>
    <slot name="header-end"></slot>
    ${threads ? control('threads', localize('threads.open'), threads) : nothing}
    ${find ? control('search', localize('find.open'), find) : nothing}
    ${renew ? control('compose', localize('header.new'), renew) : nothing}
    ${more ? menuButton(localize('more.open'), more) : nothing}
    ${close ? control('close', localize('panel.close'), close) : nothing}
  </header>`;
}

/** The chosen one of several has its colour and its picture; one alone the page's, or the mark of the widget. */
function face({ agents, agent, participants }: HeaderProps): TemplateResult {
  const picture = agent && 'avatar' in agent ? agent.avatar : participants.assistant?.avatar;
  if (agent && (agents.length > 1 || picture)) return avatar({ ...speakerFor(agent, agents), picture });
  if (picture) return avatar({ name: '', picture, hue: 1 });
  return html`<span class="avatar" part="avatar" aria-hidden="true">${icon('mark', 'small')}</span>`;
}

const picker = ({ localize, agents, agent, choose }: HeaderProps): TemplateResult =>
  html`<select
    class="heading picker"
    part="heading"
    aria-label=${localize('header.agent')}
    @change=${(event: Event) => {
      choose((event.currentTarget as HTMLSelectElement).value);
    }}
  >
    ${agents.map(({ id, name }) => html`<option value=${id} ?selected=${id === agent?.id}>${name}</option>`)}
  </select>`;

const menuButton = (label: string, press: (event: Event) => void): TemplateResult =>
  html`<button
    type="button"
    class="icon-button"
    aria-label=${label}
    title=${label}
    aria-haspopup="menu"
    aria-expanded="false"
    @click=${press}
  >
    ${icon('more')}
  </button>`;

const control = (symbol: IconName, label: string, press: () => void): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${press}>
    ${icon(symbol)}
  </button>`;
