/** Parses a base64 `data:` URL; returns undefined for other URLs. */
export function parseDataUrl(url: string): { readonly mimeType: string; readonly data: string } | undefined {
  const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64,/i.exec(url);
  return match ? { mimeType: (match[1] ?? '').toLowerCase(), data: url.slice(match[0].length) } : undefined;
}
