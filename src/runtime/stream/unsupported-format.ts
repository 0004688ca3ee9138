/** The errors for a stream that no protocol reads. Loaded with the first. */
import { ChatError } from '../../errors.ts';
import type { UnsupportedProduct } from '../../protocols/unsupported-products.ts';
import { maskSecrets } from '../../safety/secrets.ts';
import type { Frame, Framing } from '../../transport/frame.ts';

const EXCERPT_LENGTH = 200;

/** The error for a known product that the widget does not support. */
export async function unsupportedProduct(name: UnsupportedProduct): Promise<ChatError> {
  const chunk = await import('../../protocols/unsupported-advice.ts').catch(() => undefined);
  const advice = chunk ? ` ${chunk.unsupportedAdvice[name]}` : '';
  return new ChatError('unsupported-stream', `The endpoint is ${name}.${advice}`, {
    reason: 'foreign',
    values: { name },
  });
}

/**
 * The error for an unknown format. It quotes the start of the body as text, never rendered, with sent values masked.
 */
export async function unsupportedFormat(
  batches: AsyncIterable<readonly Frame[]>,
  framing: Framing,
  { sent, quiet }: { readonly sent: readonly string[]; readonly quiet: boolean },
): Promise<ChatError> {
  // Frames are separate lines; chunks of HTML or text were only split by the network.
  const separator = framing === 'html' || framing === 'text' ? '' : '\n';
  let start = '';
  const frames: Frame[] = [];
  for await (const batch of batches) {
    frames.push(...batch);
    start += batch.map(({ data }) => data + separator).join('');
    if (start.trim().length >= EXCERPT_LENGTH) break;
  }
  const excerpt = maskSecrets(start.trim(), sent).slice(0, EXCERPT_LENGTH);
  const message =
    framing === 'html'
      ? 'The endpoint answered with a web page instead of a stream.'
      : 'The format of the stream is unknown. Set "protocol", or describe it with defineProtocol().';
  if (separator !== '' && !quiet) {
    const chunk = await import('../request/log-mapping.ts').catch(() => undefined);
    chunk?.logMapping(frames, sent);
  }
  return new ChatError('unsupported-stream', `${message} It begins: ${excerpt}`, {
    reason: framing === 'html' ? 'html' : 'unsupported',
    values: { start: excerpt },
  });
}
