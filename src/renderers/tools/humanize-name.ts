/** Identifiers of several words, joined by separators or by capitals. */
const MACHINE_NAME = /^[a-z][\w.:/-]*$/;

/**
 * Converts a tool's name to a label: `delete_order` and `deleteOrder` become “Delete order”. Other names are unchanged.
 */
export function readableName(name: string): string {
  if (!MACHINE_NAME.test(name)) return name;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_.:/-]+/)
    .filter(Boolean)
    // Abbreviations keep their capitals.
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
