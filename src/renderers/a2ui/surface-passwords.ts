/**
 * Finds what of a surface contains something that the user has typed. The surface is built again with other passwords, or
 * without what is typed, and compared: the agent may compute with a value, or copy it anywhere.
 */
import type { Localize } from '../../locales/localize.ts';
import { describePress, SECRET, type EventPress } from './describe-press.ts';
import type { buildTree } from './read/build-tree.ts';
import { withOtherValues } from './read/data-model.ts';
import type { NodeOf, UiNode } from './read/node-types.ts';
import { readSurfaces, type Edit, type Surface } from './read/read-messages.ts';
import { contentOf, contentsIn, findNode, inputsIn, secretPathsIn } from './read/walk-tree.ts';
import type { SurfaceInput } from './surface-input.ts';
import type { SurfaceHost } from './views/surface-host.ts';

/** A surface with its nodes. */
export interface BuiltSurface {
  readonly surface: Surface;
  readonly root: UiNode;
}

/** Builds the nodes of a surface, with what the user has entered into inputs without a path. */
export type BuildSurface = (surface: Surface) => ReturnType<typeof buildTree>;

export class SurfacePasswords {
  readonly #input: Pick<SurfaceInput, 'edits' | 'secretPaths'>;
  readonly #build: BuildSurface;

  constructor(input: Pick<SurfaceInput, 'edits' | 'secretPaths'>, build: BuildSurface) {
    this.#input = input;
    this.#build = build;
  }

  /** See `SurfaceHost.inputIn`. Other states of the surface are built once, and only if the user has typed something. */
  findInput(built: BuiltSurface, messages: readonly unknown[]): SurfaceHost['inputIn'] {
    const { surface, root } = built;
    const edits = this.#input.edits.filter((edit) => edit.surface === surface.id);
    const isTyped = edits.some(({ value }) => typeof value !== 'boolean');
    let others: Readonly<Record<'empty' | 'passwords', ReadonlyMap<string, string>>> | undefined;
    return (node) => {
      const content = isTyped ? contentOf(node) : undefined;
      if (!content) return undefined;
      if (!others) {
        const [untouched = surface] = readSurfaces(messages, this.#chosenByUser(surface, edits, messages));
        const passwords = this.#withOthers(built) ?? root;
        others = { empty: contentsIn(this.#build(untouched).root), passwords: contentsIn(passwords) };
      }
      if (others.passwords.get(node.key) !== content) return 'password';
      return others.empty.get(node.key) === content ? undefined : 'text';
    };
  }

  /** Whether the values that the user can set with an input contain a password. */
  isSecret(built: BuiltSurface, { key }: UiNode): boolean {
    const other = this.#withOthers(built);
    return other !== undefined && choicesOf(findNode(built.root, key)) !== choicesOf(findNode(other, key));
  }

  /** The names of the values with passwords that a press of a button sends. Undefined if the surface has no passwords. */
  namesIn(built: BuiltSurface, { key }: NodeOf<'Button'>, press: EventPress): readonly string[] | undefined {
    const other = this.#withOthers(built);
    const button = other && findNode(other, key);
    return other && secretNames(press, button?.type === 'Button' ? button.press : undefined);
  }

  /**
   * What a press says in the user's name. Lines that would be others with other passwords contain a part of one, such as the
   * label of an option.
   *
   * @param messageCount - the messages of which the surface consists
   */
  describe(
    built: BuiltSurface,
    { node, press }: { readonly node: NodeOf<'Button'>; readonly press: EventPress },
    { localize, messageCount }: { readonly localize: Localize; readonly messageCount: number | undefined },
  ): string {
    const { surface, root } = built;
    const shared = {
      secrets: this.namesIn(built, node, press) ?? [],
      localize,
      entered: new Map(
        this.#input.edits.flatMap(({ surface: owner, path, value, messageCount: count }) =>
          owner === surface.id ? [[path, { value, isCurrent: count === messageCount }]] : [],
        ),
      ),
    };
    const text = describePress(node, press, { ...shared, root });
    const otherRoot = this.#withOthers(built);
    if (!otherRoot) return text;
    const other = findNode(otherRoot, node.key);
    const isButton = other?.type === 'Button' && other.press.kind === 'event';
    const lines = isButton ? describePress(other, other.press, { ...shared, root: otherRoot }).split('\n') : [];
    return text
      .split('\n')
      .map((line) => (lines.includes(line) ? line : SECRET))
      .join('\n');
  }

  /** The nodes with other passwords. Undefined if the surface has none. */
  #withOthers({ surface, root }: BuiltSurface): UiNode | undefined {
    const paths = [...secretPathsIn(root), ...this.#input.secretPaths(surface.id)];
    return paths.length === 0
      ? undefined
      : this.#build({ ...surface, data: withOtherValues(surface.data, paths) }).root;
  }

  /** The input whose values the agent knows: those among which the user chooses, unless they contain what is typed. A number may be typed. */
  #chosenByUser({ id }: Surface, edits: readonly Edit[], messages: readonly unknown[]): readonly Edit[] {
    const offered = readSurfaces(messages)
      .filter((surface) => surface.id === id)
      .flatMap((surface) => inputsIn(this.#build(surface).root))
      .flatMap((node) => (node.type === 'ChoicePicker' ? node.options.map(({ value }) => value) : []));
    return edits.filter(
      ({ value }) =>
        typeof value === 'boolean' ||
        (Array.isArray(value) && value.every((item) => (offered as readonly unknown[]).includes(item))),
    );
  }
}

/**
 * The names of the values that contain a password or a part of one, in whatever form: they are others if the passwords are
 * others.
 *
 * @param other - the same press with other passwords
 */
const secretNames = ({ context }: EventPress, other: NodeOf<'Button'>['press'] | undefined): readonly string[] =>
  Object.entries(context).flatMap(([name, value]) => {
    const otherValue = other?.kind === 'event' ? other.context[name] : undefined;
    return typeof value === 'boolean' || JSON.stringify(value) === JSON.stringify(otherValue) ? [] : name;
  });

/** What an input offers, and what is chosen. */
function choicesOf(node: UiNode | undefined): string {
  if (!node || !('value' in node)) return '';
  const options = node.type === 'ChoicePicker' ? node.options.map(({ value }) => value) : [];
  return JSON.stringify([node.value, options, 'min' in node ? [node.min, node.max] : []]);
}
