/** Streams that a page of the site can play: `streams.js` has them, so that they are there without a server too. */
export interface Stream {
  /** The id of its adapter. */
  readonly protocol: string;
  readonly name: string;
  readonly contentType: string;
  readonly body: string;
}
declare global {
  var siteStreams: readonly Stream[] | undefined;
}

export const streams = (): readonly Stream[] => globalThis.siteStreams ?? [];

/** What is asked of a stream in an address: `openai-chat/think-tags.sse`. */
export const keyOf = ({ protocol, name }: Stream): string => `${protocol}/${name}`;
