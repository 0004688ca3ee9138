import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatMessage } from '../model/message.ts';
import type { ViewSettings } from '../renderers/renderer.ts';
import { OpenArtifactEvent } from '../renderers/open-artifact.ts';
import type { AgentChatSide, SideContent } from './side-panel.ts';

/** As wide as the widget must be for a panel beside the conversation, in CSS pixels. */
const ROOM_PX = 900;

export interface SideHost extends ReactiveControllerHost {
  readonly renderRoot: ParentNode & Node;
  readonly messages: readonly ChatMessage[];
}

/** A panel beside the conversation where there is room, over it elsewhere: for an artifact, or for the sources of an answer. */
export class Side implements ReactiveController {
  readonly #host: SideHost;
  readonly #settings: () => ViewSettings | undefined;
  #panel: AgentChatSide | undefined;

  constructor(host: SideHost, settings: () => ViewSettings | undefined) {
    this.#host = host;
    this.#settings = settings;
    host.addController(this);
  }

  /** Hears of artifacts that are to be shown. */
  listen(root: Node): void {
    root.addEventListener('open-artifact', (event) => {
      if (!(event instanceof OpenArtifactEvent)) return;
      const box = this.#host.renderRoot.querySelector<HTMLElement>('.chat');
      // Where there is no room for both it opens in its place, and over the conversation only by its own button.
      if (!box || (event.where === 'beside' && box.clientWidth < ROOM_PX)) return;
      event.preventDefault();
      this.#show({ kind: 'artifact', identifier: event.identifier });
    });
  }

  /** All sources of an answer; one of them first. */
  showSources({ id }: ChatMessage, citation: unknown): void {
    this.#show({ kind: 'sources', messageId: id, citation });
  }

  hostUpdated(): void {
    const settings = this.#settings();
    if (this.#panel && settings) Object.assign(this.#panel, { messages: this.#host.messages, settings });
  }

  #show(content: SideContent): void {
    const root = this.#host.renderRoot;
    const opener = root instanceof ShadowRoot ? root.activeElement : null;
    import('./side-panel.ts').then(
      ({ openSidePanel }) => {
        const settings = this.#settings();
        const box = root.querySelector<HTMLElement>('.chat');
        if (!settings || !box) return;
        if (this.#panel?.isConnected) {
          this.#panel.show(content);
          return;
        }
        const { messages } = this.#host;
        const panel = openSidePanel({ box, opener, room: ROOM_PX, content, settings, messages });
        panel.addEventListener('close', () => {
          this.#panel = undefined;
        });
        this.#panel = panel;
      },
      // Without its chunk the conversation goes on; the sources stand below the answer, the artifact opens in its place.
      () => undefined,
    );
  }
}
