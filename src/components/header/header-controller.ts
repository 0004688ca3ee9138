import type { TemplateResult } from 'lit';
import { selectAgent, isEndpointAgent } from '../../agents/chosen-agent.ts';
import { isPageAgent } from '../../agents/is-page-agent.ts';
import type { ExportFormat } from '../../conversation/export/export-conversation.ts';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ComposerController } from '../composer/composer-controller.ts';
import type { ConversationMenuProps } from './export-and-delete-menu.ts';
import { headerTemplate } from './header.ts';
import type { AgentChatSettings } from '../settings/agent-chat-properties.ts';
import type { ThreadOperations } from './thread-list.ts';
import type { ConversationsController } from '../shared/conversations-controller.ts';
import { HeaderMenuLoader } from './load-header-menu.ts';
import type { PanelController } from '../panel/panel-controller.ts';
import type { TranscriptController } from '../transcript/transcript-controller.ts';

/** The part of the element's API that the header uses. */
interface HeaderElement extends AgentChatSettings, ThreadOperations {
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly messages: readonly ChatMessage[];
  clear(): void;
  exportConversation(format: ExportFormat): Promise<string>;
}

/** Dependencies of the header. */
export interface HeaderDependencies {
  localize(): Localize;
  readonly conversations: ConversationsController;
  readonly transcript: TranscriptController;
  readonly composerArea: ComposerController;
  readonly panel: PanelController;
  /** Whether conversations are stored. */
  isPersistent(): boolean;
  /** Names of the controls to omit. */
  without(): ReadonlySet<string>;
  /** Sets a setting that the user has changed. */
  change(name: string, value: unknown): void;
}

/** Controls the header: actions on the current conversation, and the list of all conversations. */
export class HeaderController {
  readonly #element: HeaderElement;
  readonly #dependencies: HeaderDependencies;
  readonly #headerMenu: HeaderMenuLoader;

  constructor(element: HeaderElement, dependencies: HeaderDependencies) {
    this.#element = element;
    this.#dependencies = dependencies;
    const { localize, panel, composerArea, transcript } = dependencies;
    this.#headerMenu = new HeaderMenuLoader({
      root: () => element.renderRoot,
      localize,
      panel,
      conversation: () => this.#menuProps(),
      pageAgent: () => {
        const agent = selectAgent(element.offeredAgents, element.agent, element.endpoint);
        return agent && isPageAgent(agent) ? agent : undefined;
      },
      shortcuts: () => ({
        enterBreaksLine: composerArea.enterBreaksLine,
        hasCommands: element.commands !== undefined,
        hasMentions: element.mentions !== undefined,
        hasSearch: transcript.find !== undefined,
        isClosable: panel.floats,
      }),
    });
  }

  render(): TemplateResult {
    const element = this.#element;
    const { localize, transcript, panel, isPersistent, without, change } = this.#dependencies;
    return headerTemplate({
      localize: localize(),
      heading: element.heading,
      agents: element.offeredAgents ?? [],
      agent: selectAgent(element.offeredAgents, element.agent, element.endpoint),
      hasEndpointAgent: isEndpointAgent(element.offeredAgents, element.endpoint),
      imageHosts: element.imageHosts ?? '',
      participants: element.participants ?? {},
      threads: isPersistent() && !without().has('threads') ? this.#openThreads : undefined,
      startNew: element.messages.length > 0 && !element.readonly ? this.#startNew : undefined,
      find: transcript.find,
      more: this.#headerMenu.hasItems ? this.#headerMenu.open : undefined,
      close: panel.floats ? panel.leave : undefined,
      choose: (agent) => {
        change('agent', agent || undefined);
      },
    });
  }

  /** Opens the shortcuts dialog for `?` outside of text fields. @returns whether the key was handled */
  handleKey(event: KeyboardEvent): boolean {
    return this.#headerMenu.handleKey(event);
  }

  /** The items of the overflow menu that export or delete the conversation. */
  #menuProps(): Omit<ConversationMenuProps, 'localize'> {
    const element = this.#element;
    const { conversations, transcript, composerArea, isPersistent, without } = this.#dependencies;
    const hasMessages = element.messages.length > 0;
    return {
      toastContainer: composerArea.toastContainer,
      announce: transcript.announce,
      exportAs: hasMessages && !without().has('export') ? (format) => element.exportConversation(format) : undefined,
      remove:
        hasMessages && isPersistent() && !without().has('delete')
          ? () => this.#remove(conversations.chat.threadId)
          : undefined,
    };
  }

  readonly #startNew = (): void => {
    if (this.#dependencies.isPersistent()) this.#element.newThread().catch(this.#showLoadError);
    else this.#element.clear();
    this.#element.focus();
  };

  /** Deletes a conversation. @returns a function that undoes it */
  readonly #remove = async (id: string): Promise<() => Promise<void>> =>
    (await this.#dependencies.conversations.manager()).remove(id);

  readonly #openThreads = (): void => {
    const { localize, transcript, conversations } = this.#dependencies;
    // The list opens only if its code and that of the storage can be loaded. It reads the conversations itself.
    Promise.all([import('./thread-list.ts'), conversations.manager()]).then(([{ openThreadList }, manager]) => {
      const chat = this.#element;
      openThreadList(chat.renderRoot, {
        localize: localize(),
        chat,
        remove: this.#remove,
        announce: transcript.announce,
        watch: (changed) => {
          manager.onListChange = changed;
        },
      });
    }, this.#showLoadError);
  };

  /** Shows an error toast if code or stored conversations can't be loaded; the active conversation continues. */
  readonly #showLoadError = (): void => {
    const { localize, transcript, composerArea } = this.#dependencies;
    import('../ui/toast.ts').then(
      ({ openToast }) => {
        const { toastContainer } = composerArea;
        if (toastContainer)
          openToast(toastContainer, {
            localize: localize(),
            message: localize()('error.load'),
            announce: transcript.announce,
          });
      },
      () => undefined,
    );
  };
}
