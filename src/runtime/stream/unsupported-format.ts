/** The errors for a stream that no protocol reads. Loaded only when one is needed. */
import { ChatError } from '../../errors.ts';
import type { UnsupportedProduct } from '../../protocols/unsupported-products.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';
import type { Frame, Framing } from '../../transport/frame.ts';

const EXCERPT_LENGTH = 200;

/** The error for a known product that the widget does not support. */
export async function unsupportedProductError(name: UnsupportedProduct): Promise<ChatError> {
  const chunk = await import('../../protocols/unsupported-advice.ts').catch(() => undefined);
  const advice = chunk ? ` ${chunk.unsupportedAdvice[name]}` : '';
  return new ChatError('unsupported-stream', `The endpoint is ${name}.${advice}`, {
    reason: 'foreign',
    values: { name },
  });
}

/**
 * The error for an unknown format. It quotes the start of the body as plain text, with keys and the request's own header
 * values masked. Unless `quiet`, the console proposes a mapping.
 */
export async function unsupportedFormatError(
  batches: AsyncIterable<readonly Frame[]>,
  framing: Framing,
  { secrets, quiet }: { readonly secrets: readonly string[]; readonly quiet: boolean },
): Promise<ChatError> {
  // HTML and text arrive in arbitrary pieces; any other frame is complete, and begins a line.
  const isPlain = framing === 'html' || framing === 'text';
  const separator = isPlain ? '' : '\n';
  let start = '';
  const frames: Frame[] = [];
  for await (const batch of batches) {
    frames.push(...batch);
    start += batch.map(({ data }) => data + separator).join('');
    if (start.trim().length >= EXCERPT_LENGTH) break;
  }
  // Masked before it is cut, or a part of a secret could remain.
  const excerpt = maskSecrets(start.trim(), secrets).slice(0, EXCERPT_LENGTH);
  const message =
    framing === 'html'
      ? 'The endpoint answered with a web page instead of a stream.'
      : 'The format of the stream is unknown. Set "protocol", or describe it with defineProtocol().';
  if (!isPlain && !quiet) {
    const chunk = await import('../request/log-mapping.ts').catch(() => undefined);
    chunk?.logMapping(frames, secrets);
  }
  return new ChatError('unsupported-stream', `${message} It begins: ${excerpt}`, {
    reason: framing === 'html' ? 'html' : 'unsupported',
    values: { start: excerpt },
  });
}
