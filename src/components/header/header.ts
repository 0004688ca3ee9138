import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon, type EarlyIconName } from '../../primitives/icon.ts';
import type { Participants } from '../shared/contexts.ts';
import { avatar, authorOfAgent, type Agent } from '../message/author.ts';

export interface HeaderProps {
  readonly localize: Localize;
  readonly heading: string | undefined;
  readonly agents: readonly Agent[];
  /** The selected agent; undefined if the page's endpoint answers. */
  readonly agent: Agent | undefined;
  /** Whether the page's endpoint is an additional agent, besides the listed ones. */
  readonly hasEndpointAgent: boolean;
  /** Hosts whose images load without a press. */
  readonly imageHosts: string;
  readonly participants: Participants;
  /** Opens the list of conversations. Undefined if conversations are not stored, or the page omits the list. */
  readonly threads: (() => void) | undefined;
  /** Starts a new conversation. Undefined if the current one is empty or read-only. */
  readonly startNew: (() => void) | undefined;
  /** Opens the search. Undefined if the browser's own search finds everything. */
  readonly find: (() => void) | undefined;
  /** Opens the overflow menu below its button. Undefined if the menu is empty. */
  readonly more: ((event: Event) => void) | undefined;
  /** Closes the panel. Undefined if the panel is always visible. */
  readonly close: (() => void) | undefined;
  /** @param agent - id of an agent, or an empty string for the page's endpoint */
  choose(agent: string): void;
}

/** Renders the header: the agent, and actions on the whole conversation. */
export function headerTemplate(props: HeaderProps): TemplateResult {
  const { localize, heading, agents, agent, hasEndpointAgent, participants, threads, find, startNew, more, close } =
    props;
  const ownName = participants.assistant?.name ?? localize('agent');
  const name = heading ?? agent?.name ?? ownName;
  return html`<header class="header" part="header">
    <slot name="header-start"></slot>
    ${headerAvatar(props)}
    <div class="grow">
      ${agents.length + Number(hasEndpointAgent) > 1 ? picker(props, heading ?? ownName) : html`<div class="heading clip" part="heading" dir="auto">${name}</div>`}
      ${agent?.description ? html`<div class="sub clip" dir="auto">${agent.description}</div>` : nothing}
    </div>
    <slot name="header-end"></slot>
    ${threads ? control('threads', localize('threads.open'), threads) : nothing}
    ${find ? control('search', localize('find.open'), find) : nothing}
    ${startNew ? control('compose', localize('header.new'), startNew) : nothing}
    ${more ? menuButton(localize('more.open'), more) : nothing}
    ${close ? control('close', localize('panel.close'), close) : nothing}
  </header>`;
}

/** The header avatar: that of the selected agent, else that of `participants`, else the icon of the widget. */
function headerAvatar({ agents, agent, participants, imageHosts }: HeaderProps): TemplateResult {
  const speaker = agent && authorOfAgent(agent, agents, imageHosts);
  const picture = agent && 'avatar' in agent ? speaker?.picture : participants.assistant?.avatar;
  if (speaker && (agents.length > 1 || picture)) return avatar({ ...speaker, picture });
  if (picture) return avatar({ name: '', picture, hue: 1 });
  return html`<span class="avatar" part="avatar" aria-hidden="true">${icon('mark', 'small')}</span>`;
}

/** @param ownName - the name of the agent behind the page's endpoint */
const picker = ({ localize, agents, agent, hasEndpointAgent, choose }: HeaderProps, ownName: string): TemplateResult =>
  html`<select
    class="heading picker"
    part="heading"
    aria-label=${localize('header.agent')}
    @change=${(event: Event) => {
      choose((event.currentTarget as HTMLSelectElement).value);
    }}
  >
    ${hasEndpointAgent ? html`<option value="" ?selected=${!agent}>${ownName}</option>` : nothing}
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

const control = (symbol: EarlyIconName, label: string, press: () => void): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${press}>
    ${icon(symbol)}
  </button>`;
