/** Remembers when the agent has changed a surface: a press of its button counts only for what the user could read. */
import { READ_MS } from '../../primitives/settled-press.ts';
import type { NodeOf, UiNode } from './read/node-types.ts';
import { readSurfaces, type Edit } from './read/read-messages.ts';
import { findNode, inputsIn, textsIn } from './read/walk-tree.ts';
import type { SurfaceInput } from './surface-input.ts';
import type { BuildSurface, BuiltSurface } from './surface-passwords.ts';

/** A text that was unchanged for this long counts as read (ms). One that changes more often, such as a clock, does not. */
const STEADY_MS = 2000;

/** What a surface is read from. */
interface Source {
  readonly messages: readonly unknown[];
  readonly edits: readonly Edit[];
}

interface Shown extends Source {
  readonly predecessors: number;
  /** When the agent has changed the surface, in the time of `performance.now()`. */
  readonly changedAt: number;
  /** What was visible for long enough to be read before that. */
  readonly before: Source | undefined;
  /** Its texts by node key, each with the time of its last change. */
  readonly texts: ReadonlyMap<string, SeenText>;
  /** When the agent has changed a text that was steady. */
  readonly textChangedAt: number;
}

interface SeenText {
  readonly text: string;
  readonly since: number;
}

/** Says what a press of a button says in the user's name. */
type Describe = (built: BuiltSurface, node: NodeOf<'Button'>) => string;

export class SurfaceChanges {
  readonly #input: SurfaceInput;
  readonly #build: BuildSurface;
  readonly #describe: Describe;
  /** What is shown of each surface, and what was shown before the agent has changed it. */
  readonly #shown = new Map<string, Shown>();

  constructor(input: SurfaceInput, build: BuildSurface, describe: Describe) {
    this.#input = input;
    this.#build = build;
    this.#describe = describe;
  }

  /** The number of messages of which a surface consists, as it is shown. */
  messageCount(id: string): number | undefined {
    return this.#shown.get(id)?.messages.length;
  }

  /** To be called with each state of a surface that is shown. */
  remember(id: string, root: UiNode, now: Pick<Shown, 'messages' | 'predecessors'>): void {
    const known = this.#shown.get(id);
    const time = performance.now();
    const { changedAt = -Infinity, textChangedAt = -Infinity, before } = known ?? {};
    const texts = seenTexts(root, known?.texts, time);
    const shown = { ...now, edits: this.#input.edits, texts };
    if (!known || (known.predecessors === now.predecessors && isSameList(known.messages, now.messages))) {
      this.#shown.set(id, { ...shown, changedAt, before, textChangedAt });
      return;
    }
    this.#shown.set(id, {
      ...shown,
      changedAt: time,
      before: time - changedAt >= READ_MS ? { messages: known.messages, edits: known.edits } : before,
      textChangedAt: isSteadyTextChanged(known.texts, texts, time) ? time : textChangedAt,
    });
  }

  /**
   * Whether the agent has changed what a press of the button sends or says, or a steady text of the surface, before the user could
   * read it. Other changes don't count: a surface may change all the time. Nor does what the user has entered.
   */
  hasJustChanged(built: BuiltSurface, node: NodeOf<'Button'>): boolean {
    const { changedAt = -Infinity, textChangedAt = -Infinity, before } = this.#shown.get(built.surface.id) ?? {};
    const time = performance.now();
    if (time - textChangedAt < READ_MS) return true;
    if (time - changedAt >= READ_MS || !before) return false;
    const [surface] = readSurfaces(before.messages, this.#editsBefore(before));
    const root = surface && this.#build(surface).root;
    if (!root) return true;
    const button = findNode(root, node.key);
    if (button?.type !== 'Button') return true;
    return this.#messageOf({ surface, root }, button) !== this.#messageOf(built, node);
  }

  /** The input in an earlier state of a surface: that of the user until now, also what a newer surface of the same id has not got. */
  #editsBefore({ messages, edits }: Source): readonly Edit[] {
    const all = new Map([...edits, ...this.#input.edits].map((edit) => [`${edit.surface} ${edit.path}`, edit]));
    return [...all.values()].map((edit) => ({ ...edit, messageCount: Math.min(edit.messageCount, messages.length) }));
  }

  /** What a press of a button sends, and says in the user's name. Of all data, which may change all the time, what the fields show. */
  #messageOf(built: BuiltSurface, node: NodeOf<'Button'>): string {
    const { press } = node;
    if (press.kind !== 'event') return '';
    const fields = built.surface.sendsData
      ? inputsIn(built.root).map((input) => [input.label, input.path, input.value])
      : [];
    return JSON.stringify([press.context, this.#describe(built, node), fields]);
  }
}

/** The texts of a surface. Those that are the same as before keep the time of their last change. */
function seenTexts(root: UiNode, known: Shown['texts'] | undefined, time: number): Shown['texts'] {
  const texts = new Map<string, SeenText>();
  const contents = textsIn(root);
  // The keys under an empty one: a node may come or go.
  for (const [key, text] of [...contents, ['', [...contents.keys()].join('\n')] as const]) {
    const seen = known?.get(key);
    texts.set(key, seen?.text === text ? seen : { text, since: time });
  }
  return texts;
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

const isSteadyTextChanged = (before: Shown['texts'], now: Shown['texts'], time: number): boolean =>
  [...before].some(([key, seen]) => time - seen.since >= STEADY_MS && now.get(key)?.text !== seen.text);
