import type { Localize } from '../../locales/localize.ts';
import type { PressRedaction } from '../../model/exchange/press-redaction.ts';
import { withValues } from './read/data-model.ts';
import type { NodeOf } from './read/node-types.ts';
import { findNode } from './read/walk-tree.ts';
import type { SurfaceInput } from './surface-input.ts';
import { SurfacePasswords, type BuildSurface, type BuiltSurface } from './surface-passwords.ts';

interface Press {
  readonly built: BuiltSurface;
  readonly node: NodeOf<'Button'>;
  readonly input: SurfaceInput;
  readonly build: BuildSurface;
  readonly localize: Localize;
  /** The messages of which the surface consists. */
  readonly messageCount: number | undefined;
}

/** Builds a press again from redacted input, as it was when the button was pressed. */
export function redactPress({ built, node, input, build, localize, messageCount }: Press): PressRedaction {
  const { surface } = built;
  const [edits, secretPaths] = [input.edits, input.secretPaths(surface.id)];
  const paths = edits.flatMap(({ surface: owner, path }) => (owner === surface.id ? path : []));
  return (redactValue) => {
    const redacted = { ...surface, data: withValues(surface.data, paths, redactValue) };
    const { root } = build(redacted);
    const dataModel = surface.sendsData ? { dataModel: redacted.data } : {};
    const button = root && findNode(root, node.key);
    if (!root || button?.type !== 'Button' || button.press.kind !== 'event') {
      // The agent has made the button depend on the input.
      return { text: node.press.kind === 'event' ? node.press.name : '', values: { context: {}, ...dataModel } };
    }
    const passwords = new SurfacePasswords(
      { edits: edits.map((edit) => ({ ...edit, value: redactValue(edit.value) })), secretPaths: () => secretPaths },
      build,
    );
    const text = passwords.describe(
      { surface: redacted, root },
      { node: button, press: button.press },
      { localize, messageCount },
    );
    return { text, values: { context: button.press.context, ...dataModel } };
  };
}
