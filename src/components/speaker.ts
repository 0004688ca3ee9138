import { html, type TemplateResult } from 'lit';
import type { AgentDescriptor, BaseAgent } from '../model/agent.ts';
import type { ChatMessage } from '../model/message.ts';
import { withoutBidi } from '../safety/urls.ts';
import type { View } from './contexts.ts';
import { HUES, hueOf } from './hue.ts';

export type Agent = BaseAgent | AgentDescriptor;

/** Who speaks: the same name, colour and picture wherever they stand. */
export interface Speaker {
  readonly name: string;
  /** The page's own, which loads at once. */
  readonly picture: string | undefined;
  /** One of the four hues of the look, from 1. */
  readonly hue: number;
}

/** An agent of the page's list. Those next to one another differ in colour. */
export const speakerFor = (agent: Agent, agents: readonly Agent[]): Speaker => ({
  name: withoutBidi(agent.name),
  picture: 'avatar' in agent ? agent.avatar : undefined,
  hue: (agents.indexOf(agent) % HUES) + 1,
});

/** Who has said a message: the name on the wire wins, since an agent of the list may speak for others. */
export function speakerOf(
  { name, agentId }: ChatMessage,
  { agents, settings, participants }: Pick<View, 'agents' | 'settings' | 'participants'>,
): Speaker {
  const agent = agents.find((one) => (name === undefined ? one.id === agentId : one.name === name));
  if (agent) return speakerFor(agent, agents);
  const shown = withoutBidi(name ?? settings.agentName);
  return { name: shown, picture: name === undefined ? participants.assistant?.avatar : undefined, hue: hueOf(shown) };
}

/** Their picture, or their initials where there is none, or it can't be had. */
export const avatar = ({ name, picture, hue }: Speaker, size: 'small' | '' = ''): TemplateResult =>
  html`<span class="avatar ${size}" part="avatar" data-hue=${hue} aria-hidden="true"
    >${
      picture
        ? html`<img
            src=${picture}
            alt=""
            @error=${({ currentTarget }: Event) => {
              (currentTarget as Element).replaceWith(initialsOf(name));
            }}
          />`
        : initialsOf(name)
    }</span
  >`;

/** Of the first two words, or the first two letters of one. */
function initialsOf(name: string): string {
  const words = name.split(/[\s_-]+/).filter(Boolean);
  const [first = '', second] = words;
  const letters =
    second === undefined ? Array.from(first).slice(0, 2) : [first, second].map((word) => Array.from(word)[0]);
  return letters.join('');
}
