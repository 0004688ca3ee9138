import type { Frame, Framing } from './frame.ts';

/**
 * Frames as the body that they came in, a piece each, so that reading it gives the same frames again. A socket has no body: its
 * messages are written as server-sent events, which hold any number of lines.
 */
export function writeFrames(frames: readonly Frame[], framing: Framing): readonly string[] {
  switch (framing) {
    case 'sse':
    case 'messages':
      return frames.map(toSse);
    case 'lines':
      return frames.map(({ data, unfinished }) => data + (unfinished ? '' : '\n'));
    case 'json':
      // An array, since one document of one line would be taken for a line.
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
  // What the body ended in has no blank line behind it.
  return `${lines.join('\n')}\n${unfinished ? '' : '\n'}`;
}
