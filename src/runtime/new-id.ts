/** A fresh id: 96 random bits. (`crypto.randomUUID` exists on secure pages only, and a widget lives on others too.) */
export function newId(): string {
  const words = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(words, (word) => word.toString(36).padStart(7, '0')).join('');
}
