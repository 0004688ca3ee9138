/**
 * A protocol described as data: rules that map frames to events. For servers whose stream format is unique to them.
 */
import { ChatError } from '../../errors.ts';
import type { Adapter, DetectionInput } from '../core/adapter.ts';
import { decodeMapped } from './decoder.ts';
import { hasValues, readFrom } from './read-path.ts';
import { mappedRequest } from './request.ts';
import { protocolMapping } from './schema.ts';

export type { ProtocolMapping } from './schema.ts';

/**
 * Creates the adapter that a mapping describes.
 *
 * @throws ChatError of kind `protocol` that names the invalid field.
 */
export function mapProtocol(definition: unknown): Adapter {
  const result = protocolMapping.safeParse(definition);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new ChatError('protocol', `This protocol's "${field}" is invalid: ${issue?.message ?? 'unknown'}`, {
      reason: 'bad-protocol',
    });
  }
  const mapping = result.data;
  const { id, label, kind, framing, detect } = mapping;
  return {
    id,
    ...(label !== undefined && { label }),
    ...(kind !== undefined && { kind }),
    accepts: 'text',
    ...(framing !== undefined && { framing }),
    ...(detect && {
      detect: ({ frames }: DetectionInput) =>
        frames.some(({ json, event }) => hasValues(readFrom(json, event), detect)) ? 'sure' : 'no',
    }),
    request: (turn, options) => mappedRequest(mapping, turn, options),
    decode: (batches, context) => decodeMapped(mapping, batches, context),
  };
}
