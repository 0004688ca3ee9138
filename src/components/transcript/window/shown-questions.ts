import type { AssistantMessageBlock } from '../../../model/blocks.ts';
import { canonicalArguments } from '../../../model/canonical-arguments.ts';
import type { ChatMessage } from '../../../model/message.ts';

/** The list of messages. */
type List = HTMLElement & { readonly listedMessages: readonly ChatMessage[] };

/** A question with all that it says. Equal for one that the page or the storage assigns again, not for another one with its id. */
const identities = new WeakMap<AssistantMessageBlock, string>();

function identityOf(question: AssistantMessageBlock): string {
  const known = identities.get(question);
  if (known !== undefined) return known;
  const identity = canonicalArguments(JSON.stringify({ ...question, timestamp: 0 }));
  identities.set(question, identity);
  return identity;
}

/**
 * The open questions that the user has seen. The times of the questions say nothing about that: they are those of the server, or of a
 * conversation that was stored or imported.
 */
export class ShownQuestions {
  readonly #list: List;
  #seen: readonly string[] = [];

  constructor(list: List) {
    this.#list = list;
  }

  /** Notes the questions that are in view. @returns the identities of the open ones that have been in view, now or before */
  look(): readonly string[] {
    const open = this.#open();
    const shown = this.#inView(open);
    this.#seen = open
      .filter((question) => shown.includes(question) || this.#seen.includes(identityOf(question)))
      .map(identityOf);
    return this.#seen;
  }

  /** The questions in view, of those that an earlier `look()` has returned. */
  inView(seen: readonly string[]): readonly AssistantMessageBlock[] {
    return this.#inView(this.#open()).filter((question) => seen.includes(identityOf(question)));
  }

  /** Only the last reply can wait for an answer. */
  #open(): readonly AssistantMessageBlock[] {
    const { listedMessages } = this.#list;
    return listedMessages
      .slice(listedMessages.findLastIndex(({ role }) => role === 'user') + 1)
      .flatMap(({ blocks }) => blocks)
      .filter(({ type, status }) => type === 'action' && status === 'pending');
  }

  /** Those of which at least half is in view, or that fill half of the view. */
  #inView(questions: readonly AssistantMessageBlock[]): readonly AssistantMessageBlock[] {
    if (questions.length === 0) return [];
    const view = this.#list.getBoundingClientRect();
    const ids = [...this.#list.querySelectorAll<HTMLElement>('[data-question]')].flatMap((card) => {
      const { top, bottom, height } = card.getBoundingClientRect();
      const visible = Math.min(bottom, view.bottom) - Math.max(top, view.top);
      return visible > 0 && visible >= Math.min(height, view.height) / 2 ? (card.dataset['question'] ?? []) : [];
    });
    return questions.filter(({ id }) => ids.includes(id));
  }
}
