/** The user's input in the surfaces of one block: entered values, inputs that were left, pressed buttons. */
import type { AnswerDraft } from '../core/renderer.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { own } from './read/data-model.ts';
import type { NodeOf, UiNode } from './read/node-types.ts';
import type { Edit, Surface } from './read/read-messages.ts';

/** Maximum number of remembered button presses. */
const MAX_PRESSES = 20;
const MAX_EDITS = 500;

type Bound = UiNode & { readonly path: string | undefined };

interface Entry extends Pick<Edit, 'value' | 'messageCount'> {
  /** Whether the value may contain a password that the user has entered in another field. */
  readonly isSecret?: boolean;
}

export class SurfaceInput {
  /** By surface and path; the last value wins. */
  #edits: ReadonlyMap<string, Edit> = new Map();
  /** Values of inputs that the agent bound to no path. */
  readonly #unboundValues = new Map<string, ReadonlyMap<string, unknown>>();
  /** Surfaces whose button was pressed while its check failed: they show all errors. */
  readonly #checked = new Set<string>();
  /** Inputs that the user has changed and left: they show their errors. */
  readonly #touched = new Set<string>();
  /**
   * Presses that were sent, with their values. They outlive the nodes: a form that was scrolled off-screen stays
   * submitted.
   */
  #pressed: readonly string[] = [];
  /** Keys of passwords, which are not stored, with their surfaces. */
  readonly #secret = new Map<string, string>();
  /** How many earlier surfaces had the same id when the input was made, by this id. */
  readonly #predecessors = new Map<string, number>();

  get edits(): readonly Edit[] {
    return [...this.#edits.values()];
  }

  /** The data paths of the passwords that the user has entered, also of those whose fields the agent has removed since. */
  secretPaths(id: string): readonly string[] {
    return [...this.#edits].flatMap(([key, { surface, path }]) =>
      surface === id && this.#secret.has(key) ? path : [],
    );
  }

  /** Forgets the input for an earlier surface of the same id: it must not be sent by the form of another one. */
  begin(id: string, predecessors: number): void {
    const before = this.#predecessors.get(id) ?? 0;
    this.#predecessors.set(id, predecessors);
    if (before === predecessors) return;
    this.#edits = new Map([...this.#edits].filter(([, { surface }]) => surface !== id));
    this.#unboundValues.delete(id);
    this.#checked.delete(id);
    this.#pressed = this.#pressed.filter((signature) => (parseJson(signature) as unknown[])[0] !== id);
    for (const key of this.#touched) if (key.startsWith(`${id} `)) this.#touched.delete(key);
    // The id of another surface may begin with this one and a space.
    for (const [key, surface] of this.#secret) if (surface === id) this.#secret.delete(key);
  }

  unboundValues({ id }: Surface): ReadonlyMap<string, unknown> {
    return this.#unboundValues.get(id) ?? new Map();
  }

  setValue({ id }: Surface, node: Bound, { value, messageCount, isSecret }: Entry): void {
    const key = keyOf(id, node);
    if (isSecret || (node.type === 'TextField' && node.kind === 'obscured')) this.#secret.set(key, id);
    if (node.path === undefined) this.#unboundValues.set(id, new Map(this.#unboundValues.get(id)).set(node.key, value));
    else this.#edits = new Map(this.#edits).set(key, { surface: id, path: node.path, value, messageCount });
  }

  /** Returns false if nothing has changed. */
  blur({ id }: Surface, node: Bound): boolean {
    const changed = this.#edits.has(keyOf(id, node)) || this.#unboundValues.get(id)?.has(node.key) === true;
    if (!changed || this.#touched.has(`${id} ${node.key}`)) return false;
    this.#touched.add(`${id} ${node.key}`);
    return true;
  }

  touched({ id }: Surface, node: UiNode): boolean {
    return this.#checked.has(id) || this.#touched.has(`${id} ${node.key}`);
  }

  check({ id }: Surface): void {
    this.#checked.add(id);
  }

  press(surface: Surface, node: NodeOf<'Button'>, messageCount: number): void {
    this.#pressed = [...this.#pressed, signatureOf(surface, node, messageCount)].slice(-MAX_PRESSES);
  }

  pressed(surface: Surface, node: NodeOf<'Button'>, messageCount: number): boolean {
    return this.#pressed.includes(signatureOf(surface, node, messageCount));
  }

  restore(draft: AnswerDraft | undefined): void {
    const stored = draft?.read();
    this.#pressed = listOf(own(stored, 'pressed')).filter((item) => typeof item === 'string');
    for (const edit of listOf(own(stored, 'edits')).filter(isEdit)) {
      this.#edits = new Map(this.#edits).set(`${edit.surface} ${edit.path}`, edit);
    }
    for (const item of listOf(own(stored, 'predecessors'))) {
      const [id, count] = listOf(item);
      if (typeof id === 'string' && typeof count === 'number') this.#predecessors.set(id, count);
    }
    for (const item of listOf(own(stored, 'loose'))) {
      const [id, key] = [own(item, 'surface'), own(item, 'key')];
      if (typeof id !== 'string' || typeof key !== 'string') continue;
      this.#unboundValues.set(id, new Map(this.#unboundValues.get(id)).set(key, own(item, 'value')));
    }
  }

  /** Passwords are not stored, and neither are the values that were sent with them. */
  store(draft: AnswerDraft | undefined): void {
    const isStorable = (key: string): boolean => !this.#secret.has(key);
    const unboundValues = [...this.#unboundValues].flatMap(([surface, values]) =>
      [...values].flatMap(([key, value]) => (isStorable(`${surface}  ${key}`) ? { surface, key, value } : [])),
    );
    draft?.write({
      pressed: this.#secret.size > 0 ? [] : this.#pressed,
      edits: [...this.#edits].flatMap(([key, edit]) => (isStorable(key) ? edit : [])).slice(-MAX_EDITS),
      loose: unboundValues.slice(-MAX_EDITS),
      predecessors: [...this.#predecessors].filter(([, count]) => count > 0),
    });
  }
}

/** Two spaces separate the key of an unbound input from a path; `store` repeats them. */
const keyOf = (id: string, { path, key }: Bound): string => (path === undefined ? `${id}  ${key}` : `${id} ${path}`);

/** Identifies a press by its button and values. An update of the surface by the agent allows it again. */
const signatureOf = ({ id }: Surface, { key, press }: NodeOf<'Button'>, messageCount: number): string =>
  JSON.stringify([id, key, messageCount, press]);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const isEdit = (value: unknown): value is Edit =>
  isRecord(value) &&
  typeof value['surface'] === 'string' &&
  typeof value['path'] === 'string' &&
  typeof value['messageCount'] === 'number';
