/** Maximum number of characters and tags of HTML that are rendered. */
export interface HtmlLimit {
  readonly characters: number;
  readonly tags: number;
}

/** The limit of an HTML block in Markdown. */
const BLOCK: HtmlLimit = { characters: 16_384, tags: 512 };

/** The limit of an answer that is HTML as a whole. */
export const HTML_ANSWER: HtmlLimit = { characters: 65_536, tags: 4096 };

/** Returns the end of the part of HTML that is rendered; the rest can be shown as text. */
export function renderedHtmlEnd(source: string, { characters, tags: mostTags } = BLOCK): number {
  const most = Math.min(source.length, characters);
  let end = -1;
  for (let tags = 0; tags <= mostTags; tags++) {
    end = source.indexOf('<', end + 1);
    if (end < 0 || end >= most) break;
  }
  if (end >= 0 && end < most) return end;
  if (most === source.length) return most;
  // Not inside a tag.
  const tag = source.lastIndexOf('<', most);
  return tag > most / 2 ? tag : most;
}
