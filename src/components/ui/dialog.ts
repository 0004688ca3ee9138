import { applyLanguage } from '../../primitives/apply-language.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import styles from './dialog.css?inline';

const style = createStylesheet(styles);

/**
 * Creates a modal dialog that removes itself when it closes, and closes when another user is signed in. The caller fills it,
 * appends it to `root` and opens it.
 *
 * @param name - its class, for a stylesheet of its own
 * @param title - id of its heading
 */
export function createDialog(root: Node & ParentNode, name: string, title: string): HTMLDialogElement {
  adoptStylesheet(root, style);
  const dialog = document.createElement('dialog');
  dialog.className = `dialog ${name}`;
  dialog.setAttribute('part', 'dialog');
  dialog.setAttribute('aria-labelledby', title);
  applyLanguage(root, dialog);
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  onUserSwitch(dialog, () => {
    dialog.close();
  });
  return dialog;
}
