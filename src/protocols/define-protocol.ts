import { ChatError } from '../errors.ts';
import type { Adapter } from './adapter.ts';
import { mapProtocol, type ProtocolMapping } from './map-protocol.ts';

/**
 * Makes an adapter of your own, of the same type as the built-in ones, and says at once what is missing.
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
 * @example The same described as data
 * const acme = defineProtocol({
 *   id: 'acme',
 *   request: { body: { prompt: '{text}' } },
 *   events: [{ when: { type: 'delta' }, text: 'words' }, { when: { type: 'done' }, finish: 'complete' }],
 * });
 *
 * @throws ChatError of kind `protocol` when the id is empty, a function is missing or a field does not fit.
 */
export function defineProtocol(given: Adapter | ProtocolMapping): Adapter {
  const adapter = 'events' in given ? mapProtocol(given) : given;
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
