/** Maximum number of characters and tags of an HTML block that are rendered. */
const LONGEST = 16_384;
const MOST_TAGS = 512;

/** Returns the end of the part of an HTML block that is rendered; the rest can be shown as text. */
export function renderedHtmlEnd(source: string): number {
  const most = Math.min(source.length, LONGEST);
  let end = -1;
  for (let tags = 0; tags <= MOST_TAGS; tags++) {
    end = source.indexOf('<', end + 1);
    if (end < 0 || end >= most) break;
  }
  if (end >= 0 && end < most) return end;
  if (most === source.length) return most;
  // Not inside a tag.
  const tag = source.lastIndexOf('<', most);
  return tag > most / 2 ? tag : most;
}
