/** Media of AgentScope 2 that arrive as blocks of their own: in encoded chunks, or as an address. */
import type { Media } from '../../model/blocks.ts';
import { joinBase64 } from '../shared/files/join-base64.ts';
import { kindOf, type Event } from './agentscope-2-schema.ts';

interface OpenBlock {
  mimeType: string;
  name: string;
  url: string;
  readonly chunks: string[];
}

/** The media blocks that have not ended. */
export class MediaBlocks {
  readonly #open = new Map<string, OpenBlock>();

  /** Adds what an event has of its block: the file's name is only in the first event, the content only in later ones. */
  add(event: Event): OpenBlock {
    const id = event.block_id ?? '';
    const block = this.#open.get(id) ?? { mimeType: '', name: '', url: '', chunks: [] };
    block.mimeType ||= event.media_type ?? '';
    block.name ||= event.name ?? '';
    // An address is the whole content.
    block.url ||= event.url ?? '';
    const chunk = typeof event.data === 'string' ? event.data : event.delta;
    if (chunk) block.chunks.push(chunk);
    this.#open.set(id, block);
    return block;
  }

  end(event: Event): Media | undefined {
    const { mimeType, name, url, chunks } = this.add(event);
    this.#open.delete(event.block_id ?? '');
    const shared = { kind: kindOf(mimeType), mimeType, ...(name && { name }) };
    if (url) return { ...shared, url };
    // Each chunk is encoded separately, with its own padding.
    const data = joinBase64(chunks);
    return data === undefined ? undefined : { ...shared, data };
  }
}
