import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import type { Participants } from './contexts.ts';

export interface HeaderProps {
  readonly localize: Localize;
  readonly heading: string | undefined;
  readonly agents: readonly (BaseAgent | AgentDescriptor)[];
  readonly agent: BaseAgent | AgentDescriptor | undefined;
  readonly participants: Participants;
  /** Undefined where conversations are not kept. */
  readonly threads: (() => void) | undefined;
  /** Undefined where there is nothing to begin anew. */
  readonly renew: (() => void) | undefined;
  /** Undefined where the browser's own search finds everything. */
  readonly find: (() => void) | undefined;
  /** Opens the menu below its button. */
  more(event: Event): void;
  /** Undefined where the panel is always there. */
  readonly close: (() => void) | undefined;
  choose(agent: string): void;
}

/** Who answers, and what can be done with the whole conversation. */
export function header(props: HeaderProps): TemplateResult {
  const { localize, heading, agents, agent, participants, threads, find, renew, more, close } = props;
  const name = heading ?? agent?.name ?? participants.assistant?.name ?? localize('agent');
  const avatar = participants.assistant?.avatar;
  return html`<header class="header" part="header">
    <slot name="header-start"></slot>
    <span class="avatar" part="avatar" aria-hidden="true"
      >${avatar ? html`<img src=${avatar} alt="" />` : icon('mark', 'small')}</span
    >
    <div class="grow">
      ${agents.length > 1 ? picker(props) : html`<div class="heading clip" part="heading" dir="auto">${name}</div>`}
      ${agent?.description ? html`<div class="sub clip" dir="auto">${agent.description}</div>` : nothing}
    </div>
    <slot name="header-end"></slot>
    ${threads ? control('threads', localize('threads.open'), threads) : nothing}
    ${find ? control('search', localize('find.open'), find) : nothing}
    ${renew ? control('compose', localize('header.new'), renew) : nothing}
    <button
      type="button"
      class="icon-button"
      aria-label=${localize('more.open')}
      title=${localize('more.open')}
      aria-haspopup="menu"
      aria-expanded="false"
      @click=${more}
    >
      ${icon('more')}
    </button>
    ${close ? control('close', localize('panel.close'), close) : nothing}
  </header>`;
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

const control = (symbol: IconName, label: string, press: () => void): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${press}>
    ${icon(symbol)}
  </button>`;
