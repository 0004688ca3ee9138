import type { Frame, Framing } from './frame.ts';

/**
 * Writes frames as a body, one string per frame, so that reading the body returns the same frames. A socket has no
 * body: its messages are written as server-sent events, which can contain any number of lines.
 */
export function writeFrames(frames: readonly Frame[], framing: Framing): readonly string[] {
  switch (framing) {
    case 'sse':
    case 'messages':
      return frames.map(toSse);
    case 'lines':
      return frames.map(({ data, unfinished }) => data + (unfinished ? '' : '\n'));
    case 'json':
      // An array, because a document on a single line would be read as a line.
      return frames.map(({ data, unfinished }, index) => {
        const last = index === frames.length - 1 && !unfinished;
        return `${index === 0 ? '[' : ',\n'}${data}${last ? ']' : ''}`;
      });
    default:
      return frames.map(({ data }) => data);
  }
}

function toSse({ event, id, data, unfinished }: Frame): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
  ];
  // A truncated event has no blank line after it.
  return `${lines.join('\n')}\n${unfinished ? '' : '\n'}`;
}
