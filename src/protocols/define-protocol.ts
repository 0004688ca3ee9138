import { ChatError } from '../errors.ts';
import type { Adapter } from './core/adapter.ts';
import { mapProtocol, type ProtocolMapping } from './mapping/map-protocol.ts';

/**
 * Creates a custom adapter of the same type as the built-in ones and checks that it is complete.
 *
 * @example
 * const acme = defineProtocol({
 *   id: 'acme',
 *   request: ({ text }, { url, headers }) => ({ url, init: { method: 'POST', headers, body: { prompt: text } } }),
 *   async *decode(batches) {
 *     for await (const frames of batches) yield frames.map(({ data }) => ({ type: 'text', content: data }));
 *     yield [{ type: 'stop', stop_reason: 'complete' }];
 *   },
 * });
 * element.protocol = acme; // or AgentChat.protocols.register(acme)
 *
 * @example The same adapter described as data
 * const acme = defineProtocol({
 *   id: 'acme',
 *   request: { body: { prompt: '{text}' } },
 *   events: [{ when: { type: 'delta' }, text: 'words' }, { when: { type: 'done' }, finish: 'complete' }],
 * });
 *
 * @throws ChatError of kind `protocol` when the id is invalid, a function is missing or a field is invalid.
 */
export function defineProtocol(definition: Adapter | ProtocolMapping): Adapter {
  const adapter = 'events' in definition ? mapProtocol(definition) : definition;
  const missing = [
    typeof adapter.id === 'string' && /^[\w.-]+$/.test(adapter.id)
      ? ''
      : 'an "id" of letters, digits, "-", "_" and "."',
    typeof adapter.request === 'function' ? '' : 'a function "request"',
    typeof adapter.decode === 'function' ? '' : 'a generator "decode"',
  ].filter(Boolean);
  if (missing.length > 0) {
    throw new ChatError('protocol', `This protocol lacks ${missing.join(' and ')}.`, { reason: 'bad-protocol' });
  }
  return adapter;
}
