/** Remembers when the agent has changed a surface: a press of its button counts only for what the user could read. */
import { nextPaint, type Paint } from '../../primitives/press/next-paint.ts';
import { startOf } from '../../primitives/press/press-start.ts';
import { READ_MS } from '../../primitives/press/settled-press.ts';
import type { NodeOf, UiNode } from './read/node-types.ts';
import { readSurfaces, type Edit } from './read/read-messages.ts';
import { appearancesIn, findNode, inputsIn, type Appearance } from './read/walk-tree.ts';
import type { SurfaceInput } from './surface-input.ts';
import type { BuildSurface, BuiltSurface } from './surface-passwords.ts';

/** What was unchanged for this long counts as read (ms). What changes more often, such as a clock, does not. */
const STEADY_MS = 2000;
/** States that follow each other faster than this (ms) count as one: this limits how many are compared. */
const BRIEF_MS = 50;
/** How long a state is remembered after another one has replaced it (ms): a press may take this long. */
const KEEP_MS = 5000;

/** What a surface is read from. */
interface Source {
  readonly messages: readonly unknown[];
  readonly predecessors: number;
}

interface State extends Source {
  readonly edits: readonly Edit[];
  readonly since: Paint;
  /** Since when the parts that have changed with it had been the same. */
  readonly changed: ReadonlySet<Paint>;
  /** When the last of them has changed. */
  readonly changedAt: Paint;
}

interface Shown {
  /** What is shown, and before it what was shown in the last `KEEP_MS`. */
  readonly states: readonly State[];
  /** Whether there were older ones. */
  readonly isCut: boolean;
  /** The appearances of the nodes by key, each with the time of its last change. */
  readonly appearances: ReadonlyMap<string, SeenAppearance>;
}

interface SeenAppearance {
  readonly appearance: Appearance;
  readonly since: Paint;
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
  #moved: Paint | undefined;

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
    const since = nextPaint();
    const appearances = seenAppearances(built, known?.appearances, since);
    const { states = [], isCut = false } = known ?? {};
    const last = states.at(-1);
    const { edits } = this.#input;
    if (last && isSame(last, source)) {
      const same = { ...last, ...source, edits };
      this.#shown.set(id, { appearances, isCut, states: [...states.slice(0, -1), same] });
      return;
    }
    if (!known) this.#moved = since;
    const changed = changedParts(known?.appearances, appearances);
    const state = { ...source, edits, since, changed, changedAt: since };
    this.#shown.set(id, { appearances, ...withState(states, state, isCut) });
  }

  /** To be called with the surfaces that are shown. */
  forgetOthers(ids: ReadonlySet<string>): void {
    for (const id of this.#shown.keys()) {
      if (ids.has(id)) continue;
      this.#shown.delete(id);
      this.#moved = nextPaint();
    }
  }

  /**
   * Whether the agent has changed what a press of the button sends or says, or a steady part of the block, before the user could
   * read it. Other changes don't count: a surface may change all the time. Nor does what the user has entered.
   */
  hasJustChanged(built: BuiltSurface, node: NodeOf<'Button'>, event: MouseEvent): boolean {
    const start = startOf(event).at - READ_MS;
    // The keyboard presses what has the focus, and a new surface has not.
    if (event.detail > 0 && this.#moved && this.#moved.time > start) return true;
    if ([...this.#shown.values()].some((shown) => isSteadyChanged(shown, start))) return true;
    const { states = [] } = this.#shown.get(built.surface.id) ?? {};
    const earlier = states.filter((_, index) => (states[index + 1]?.since.time ?? -Infinity) > start);
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

/** The states that were shown in the last `KEEP_MS`, and a new one. */
function withState(states: readonly State[], state: State, wasCut: boolean): Pick<Shown, 'states' | 'isCut'> {
  const oldest = performance.now() - KEEP_MS;
  const recent = states.filter((_, index) => (states[index + 1] ?? state).since.time > oldest);
  const isCut = wasCut || recent.length < states.length;
  return { isCut, states: [...recent, state].reduce(withoutBrief, []) };
}

/** Adds a state to those before it. It takes the place of one that was visible for a moment only, or never. */
function withoutBrief(states: readonly State[], state: State): readonly State[] {
  const last = states.at(-1);
  if (!last) return [state];
  const isBrief = last.since === state.since || state.since.time - last.since.time < BRIEF_MS;
  if (!isBrief) return [...states, state];
  const changed = new Set([...last.changed, ...state.changed]);
  return [...states.slice(0, -1), { ...state, since: last.since, changed }];
}

/** The appearances of the nodes of a surface, and of its heading. Those that are the same as before keep the time of their last change. */
function seenAppearances(
  { surface, root }: BuiltSurface,
  known: Shown['appearances'] | undefined,
  since: Paint,
): Shown['appearances'] {
  const all = new Map<string, SeenAppearance>();
  const appearances = appearancesIn(root);
  // The name and the keys under an empty one: a node may come, go or move.
  const frame = [surface.agentName, ...appearances.keys()];
  for (const [key, appearance] of [...appearances, ['', frame] as const]) {
    const seen = known?.get(key);
    all.set(key, seen && isSameList(seen.appearance, appearance) ? seen : { appearance, since });
  }
  return all;
}

const isSame = (one: Source, other: Source): boolean =>
  one.predecessors === other.predecessors && isSameList(one.messages, other.messages);

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

const changedParts = (before: Shown['appearances'] | undefined, now: Shown['appearances']): ReadonlySet<Paint> =>
  new Set([...(before ?? [])].flatMap(([key, { since }]) => (now.get(key)?.since === since ? [] : since)));

/** Whether a part that had been visible for long has changed since then, or may have. The change may still have to be painted. */
const isSteadyChanged = ({ states, isCut }: Shown, start: number): boolean =>
  (isCut && states.every(({ since }) => since.time > start)) ||
  states.some(({ changed, changedAt: { time } }) => {
    const end = Math.min(time, performance.now());
    return time > start && [...changed].some((since) => end - since.time >= STEADY_MS);
  });
