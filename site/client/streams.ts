/** The recorded streams. They are in `streams.js`, so that they work without a server. */
export interface Stream {
  /** Id of the adapter. */
  readonly protocol: string;
  readonly name: string;
  readonly contentType: string;
  readonly body: string;
}
declare global {
  var siteStreams: readonly Stream[] | undefined;
}

export const streams = (): readonly Stream[] => globalThis.siteStreams ?? [];

/** Path of a stream in a URL: `openai-chat/think-tags.sse`. */
export const keyOf = ({ protocol, name }: Stream): string => `${protocol}/${name}`;
