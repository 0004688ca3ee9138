import { html, type TemplateResult } from 'lit';
import type { AgentDescriptor, BaseAgent } from '../../model/agent.ts';
import { imageLoading } from '../../safety/media-policy.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { HUES } from './author-hue.ts';

export type Agent = BaseAgent | AgentDescriptor;

/** The author of a message: the same name, hue and avatar everywhere. */
export interface Author {
  readonly name: string;
  /** URL of the avatar, which loads immediately: it is set by the host page, or its host is allowed. */
  readonly picture: string | undefined;
  /** Number of the hue in `styles/avatar.css`, from 1; 0 for the neutral colour of the user. */
  readonly hue: number;
}

/** The author for a configured agent. Neighbours in the list have different hues. */
export const authorOfAgent = (agent: Agent, agents: readonly Agent[], imageHosts: string): Author => ({
  name: withoutInvisible(agent.name),
  picture: 'avatar' in agent ? avatarUrlOf(agent, imageHosts) : undefined,
  hue: (agents.indexOf(agent) % HUES) + 1,
});

/** The avatar of a discovered agent is subject to `image-hosts`. */
const avatarUrlOf = ({ avatar: address, discovered }: AgentDescriptor, imageHosts: string): string | undefined =>
  discovered && address !== undefined && !imageLoading(address, imageHosts).now ? undefined : address;

/** Renders the avatar, or the initials if there is none or it fails to load. */
export const avatar = ({ name, picture, hue }: Author, size: 'small' | '' = ''): TemplateResult =>
  html`<span class="avatar ${size}" part="avatar" data-hue=${hue} aria-hidden="true"
    >${
      picture
        ? html`<img
            src=${picture}
            alt=""
            referrerpolicy="no-referrer"
            @error=${({ currentTarget }: Event) => {
              (currentTarget as Element).replaceWith(initialsOf(name));
            }}
          />`
        : initialsOf(name)
    }</span
  >`;

/** Initials of the first two words, or the first two letters of a single word. */
function initialsOf(name: string): string {
  const words = name.split(/[\s_-]+/).filter(Boolean);
  const [first = '', second] = words;
  const letters =
    second === undefined ? Array.from(first).slice(0, 2) : [first, second].map((word) => Array.from(word)[0]);
  return letters.join('');
}
