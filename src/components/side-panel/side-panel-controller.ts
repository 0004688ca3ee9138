import type { ChatMessage } from '../../model/message.ts';
import type { ViewSettings } from '../../renderers/core/renderer.ts';
import { OpenArtifactEvent } from '../../renderers/artifacts/open-artifact-event.ts';
import type { AgentChatSidePanel, SidePanelContent } from './side-panel.ts';

/** Minimum width of the widget for a panel next to the conversation, in CSS pixels. */
const MIN_WIDTH_PX = 900;

export interface SidePanelHost {
  readonly renderRoot: ParentNode & Node;
  readonly messages: readonly ChatMessage[];
}

/**
 * Controls the side panel for an artifact or for the sources of an answer. It is next to the conversation if there is space,
 * otherwise over it.
 */
export class SidePanelController {
  readonly #host: SidePanelHost;
  readonly #settings: () => ViewSettings | undefined;
  #panel: AgentChatSidePanel | undefined;

  constructor(host: SidePanelHost, settings: () => ViewSettings | undefined) {
    this.#host = host;
    this.#settings = settings;
  }

  /** Listens for requests to open an artifact. */
  listenForArtifacts(root: Node): void {
    root.addEventListener('open-artifact', (event) => {
      if (!(event instanceof OpenArtifactEvent)) return;
      const box = this.#host.renderRoot.querySelector<HTMLElement>('.chat');
      // In a narrow widget an artifact opens inline. It opens over the conversation only with its own button.
      if (!box || (event.where === 'beside' && box.clientWidth < MIN_WIDTH_PX)) return;
      event.preventDefault();
      this.#show({ kind: 'artifact', identifier: event.identifier });
    });
  }

  /** Shows all sources of an answer and focuses the given one. */
  showSources({ id }: ChatMessage, citation: unknown): void {
    this.#show({ kind: 'sources', messageId: id, citation });
  }

  /** Gives an open panel the messages as they are now. */
  update(): void {
    const settings = this.#settings();
    if (this.#panel?.isConnected && settings) Object.assign(this.#panel, { messages: this.#host.messages, settings });
  }

  #show(content: SidePanelContent): void {
    const root = this.#host.renderRoot;
    const opener = root instanceof ShadowRoot ? root.activeElement : null;
    import('./side-panel.ts').then(
      ({ openSidePanel }) => {
        const settings = this.#settings();
        const box = root.querySelector<HTMLElement>('.chat');
        if (!settings || !box) return;
        const { messages } = this.#host;
        this.#panel = openSidePanel(this.#panel, { box, opener, minWidth: MIN_WIDTH_PX, content, settings, messages });
      },
      // If the chunk fails to load, the conversation continues: the sources are below the answer, and the artifact opens inline.
      () => undefined,
    );
  }
}
