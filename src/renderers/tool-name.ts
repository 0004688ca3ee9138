/** Names that are one word to a machine: parts with a sign between them, or a capital. */
const MACHINE_NAME = /^[a-z][\w.:/-]*$/;

/** A tool's name as people write it: `delete_order` and `deleteOrder` are “Delete order”. Any other name stays as it is. */
export function readableName(name: string): string {
  if (!MACHINE_NAME.test(name)) return name;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_.:/-]+/)
    .filter(Boolean)
    // An abbreviation stays one.
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
