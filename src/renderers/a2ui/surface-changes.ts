/** Remembers when the agent has changed a surface: a press of its button counts only for what the user could read. */
import { READ_MS } from '../../primitives/settled-press.ts';
import type { NodeOf, UiNode } from './read/node-types.ts';
import { readSurfaces, type Edit } from './read/read-messages.ts';
import { appearancesIn, findNode, inputsIn, type Appearance } from './read/walk-tree.ts';
import type { SurfaceInput } from './surface-input.ts';
import type { BuildSurface, BuiltSurface } from './surface-passwords.ts';

/** What was unchanged for this long counts as read (ms). What changes more often, such as a clock, does not. */
const STEADY_MS = 2000;
/** States that follow each other faster than this (ms) count as one: this limits how many are compared. */
const BRIEF_MS = 50;

/** What a surface is read from. */
interface Source {
  readonly messages: readonly unknown[];
  readonly predecessors: number;
}

interface State extends Source {
  readonly edits: readonly Edit[];
  /** When it was first shown, in the time of `performance.now()`. */
  readonly since: number;
}

interface Shown {
  /** What is shown, and before it what was shown in the last `READ_MS`. */
  readonly states: readonly State[];
  /** The appearances of the nodes by key, each with the time of its last change. */
  readonly appearances: ReadonlyMap<string, SeenAppearance>;
}

interface SeenAppearance {
  readonly appearance: Appearance;
  readonly since: number;
}

/** Says what a press of a button says in the user's name. */
type Describe = (built: BuiltSurface, node: NodeOf<'Button'>) => string;

export class SurfaceChanges {
  readonly #input: SurfaceInput;
  readonly #build: BuildSurface;
  readonly #describe: Describe;
  /** The surfaces of the block. */
  readonly #shown = new Map<string, Shown>();
  /** When a surface of the block came or went: this may also move the buttons of the surfaces below it. */
  #movedAt = -Infinity;
  /** When a steady part of one has changed, which may do the same. */
  #changedAt = -Infinity;

  constructor(input: SurfaceInput, build: BuildSurface, describe: Describe) {
    this.#input = input;
    this.#build = build;
    this.#describe = describe;
  }

  /** The number of messages of which a surface consists, as it is shown. */
  messageCount(id: string): number | undefined {
    return this.#shown.get(id)?.states.at(-1)?.messages.length;
  }

  /** To be called with each state of a surface that is shown. */
  remember(built: BuiltSurface, source: Source): void {
    const { id } = built.surface;
    const known = this.#shown.get(id);
    const time = performance.now();
    const appearances = seenAppearances(built, known?.appearances, time);
    const { states = [] } = known ?? {};
    const last = states.at(-1);
    const state = { ...source, edits: this.#input.edits, since: time };
    if (last && isSame(last, source)) {
      this.#shown.set(id, { appearances, states: [...states.slice(0, -1), { ...state, since: last.since }] });
      return;
    }
    if (!known) this.#movedAt = time;
    else if (isSteadyChanged(known.appearances, appearances, time)) this.#changedAt = time;
    this.#shown.set(id, { appearances, states: withState(states, state) });
  }

  /** To be called with the surfaces that are shown. */
  forgetOthers(ids: ReadonlySet<string>): void {
    for (const id of this.#shown.keys()) {
      if (ids.has(id)) continue;
      this.#shown.delete(id);
      this.#movedAt = performance.now();
    }
  }

  /**
   * Whether the agent has changed what a press of the button sends or says, or a steady part of the block, before the user could
   * read it. Other changes don't count: a surface may change all the time. Nor does what the user has entered.
   *
   * @param byPointer - whether the press hits what is under the pointer now. The keyboard presses what has the focus, and a new
   * surface has not
   */
  hasJustChanged(built: BuiltSurface, node: NodeOf<'Button'>, byPointer: boolean): boolean {
    const start = performance.now() - READ_MS;
    if (this.#changedAt > start || (byPointer && this.#movedAt > start)) return true;
    const { states = [] } = this.#shown.get(built.surface.id) ?? {};
    const earlier = states.filter((_, index) => (states[index + 1]?.since ?? -Infinity) > start);
    if (earlier.length === 0) return false;
    const message = this.#messageOf(built, node);
    return earlier.some(
      (state) =>
        state.predecessors !== states.at(-1)?.predecessors ||
        this.#messageIn(state, built.surface.id, node) !== message,
    );
  }

  /** The same for the button in an earlier state of the surface. Undefined if it was not there. */
  #messageIn(state: State, id: string, { key }: UiNode): string | undefined {
    const surface = readSurfaces(state.messages, this.#editsIn(state)).find((candidate) => candidate.id === id);
    const root = surface && this.#build(surface).root;
    const button = root && findNode(root, key);
    return surface && root && button?.type === 'Button' ? this.#messageOf({ surface, root }, button) : undefined;
  }

  /** The input in an earlier state of a surface: that of the user until now, also what a newer surface of the same id has not got. */
  #editsIn({ messages, edits }: State): readonly Edit[] {
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
    return JSON.stringify([press.name, press.context, this.#describe(built, node), fields]);
  }
}

/** The states that were shown in the last `READ_MS`, and a new one. */
function withState(states: readonly State[], state: State): readonly State[] {
  const recent = states.filter((_, index) => (states[index + 1]?.since ?? state.since) > state.since - READ_MS);
  const last = recent.at(-1);
  const isBrief = last !== undefined && state.since - last.since < BRIEF_MS;
  return isBrief ? [...recent.slice(0, -1), { ...state, since: last.since }] : [...recent, state];
}

/** The appearances of the nodes of a surface, and of its heading. Those that are the same as before keep the time of their last change. */
function seenAppearances(
  { surface, root }: BuiltSurface,
  known: Shown['appearances'] | undefined,
  time: number,
): Shown['appearances'] {
  const all = new Map<string, SeenAppearance>();
  const appearances = appearancesIn(root);
  // The name and the keys under an empty one: a node may come, go or move.
  const frame = [surface.agentName, ...appearances.keys()];
  for (const [key, appearance] of [...appearances, ['', frame] as const]) {
    const seen = known?.get(key);
    all.set(key, seen && isSameList(seen.appearance, appearance) ? seen : { appearance, since: time });
  }
  return all;
}

const isSame = (one: Source, other: Source): boolean =>
  one.predecessors === other.predecessors && isSameList(one.messages, other.messages);

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

const isSteadyChanged = (before: Shown['appearances'], now: Shown['appearances'], time: number): boolean =>
  [...before].some(([key, seen]) => time - seen.since >= STEADY_MS && now.get(key)?.since !== seen.since);
