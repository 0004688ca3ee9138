import type { TemplateResult } from 'lit';
import { chosenAgent } from '../agents/chosen-agent.ts';
import type { Localize } from '../locales/localize.ts';
import type { AgentChatConversation } from './agent-chat-conversation.ts';
import type { ComposerArea } from './composer-area.ts';
import type { ConversationMenuProps } from './conversation-menu.ts';
import { header } from './header.ts';
import type { Keeping } from './keeping.ts';
import { More } from './more.ts';
import type { Panel } from './panel.ts';
import type { Transcript } from './transcript.ts';

/** What of the widget the header has to do with. */
export interface HeaderAreaParts {
  localize(): Localize;
  readonly keeping: Keeping;
  readonly transcript: Transcript;
  readonly composerArea: ComposerArea;
  readonly panel: Panel;
  /** Whether conversations are kept. */
  keeps(): boolean;
  /** The controls to leave out. */
  without(): ReadonlySet<string>;
  /** The reader has changed a setting. */
  change(name: string, value: unknown): void;
}

/** The line at the top: what can be done with the whole conversation, and with all of them. */
export class HeaderArea {
  readonly #element: AgentChatConversation;
  readonly #parts: HeaderAreaParts;
  readonly #more: More;

  constructor(element: AgentChatConversation, parts: HeaderAreaParts) {
    this.#element = element;
    this.#parts = parts;
    const { localize, panel, composerArea, transcript } = parts;
    this.#more = new More({
      root: () => element.renderRoot,
      localize,
      panel,
      conversation: () => this.#conversation(),
      keys: () => ({
        entersLine: composerArea.entersLine,
        commands: element.commands !== undefined,
        mentions: element.mentions !== undefined,
        finds: transcript.find !== undefined,
        closes: panel.floats,
      }),
    });
  }

  draw(): TemplateResult {
    const element = this.#element;
    const { localize, transcript, panel, keeps, without, change } = this.#parts;
    return header({
      localize: localize(),
      heading: element.heading,
      agents: element.agents ?? [],
      agent: chosenAgent(element.agents, element.agent),
      participants: element.participants ?? {},
      threads: keeps() && !without().has('threads') ? this.#openThreads : undefined,
      renew: element.messages.length > 0 && !element.readonly ? this.#renew : undefined,
      find: transcript.find,
      more: this.#more.offers ? this.#more.open : undefined,
      close: panel.floats ? panel.leave : undefined,
      choose: (agent) => {
        change('agent', agent);
      },
    });
  }

  /** `?` where nothing is written. @returns whether it was meant */
  press(event: KeyboardEvent): boolean {
    return this.#more.press(event);
  }

  /** What its menu offers. */
  #conversation(): Omit<ConversationMenuProps, 'localize'> {
    const element = this.#element;
    const { keeping, transcript, composerArea, keeps, without } = this.#parts;
    const any = element.messages.length > 0;
    return {
      box: composerArea.box,
      say: transcript.say,
      read: any && !without().has('export') ? (format) => element.exportConversation(format) : undefined,
      remove: any && keeps() && !without().has('delete') ? () => this.#remove(keeping.chat.threadId) : undefined,
    };
  }

  readonly #renew = (): void => {
    if (this.#parts.keeps()) this.#element.newThread().catch(this.#missing);
    else this.#element.clear();
    this.#element.focus();
  };

  /** Deletes a conversation. @returns what brings it back */
  readonly #remove = async (id: string): Promise<() => Promise<void>> =>
    (await this.#parts.keeping.keeper()).remove(id);

  readonly #openThreads = (): void => {
    const { localize, transcript, keeping } = this.#parts;
    // A list that nothing could fill is not opened.
    Promise.all([import('./thread-panel.ts'), keeping.keeper()]).then(([{ openThreadPanel }]) => {
      const chat = this.#element;
      openThreadPanel(chat.renderRoot, { localize: localize(), chat, remove: this.#remove, say: transcript.say });
    }, this.#missing);
  };

  /** A chunk is missing: the conversation on show goes on, and whoever has pressed is told. */
  readonly #missing = (): void => {
    const { localize, transcript, composerArea } = this.#parts;
    import('./toast.ts').then(
      ({ openToast }) => {
        const { box } = composerArea;
        if (box) openToast(box, { localize: localize(), words: localize()('error.load'), say: transcript.say });
      },
      () => undefined,
    );
  };
}
