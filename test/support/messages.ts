/** Short forms of messages, with counted ids and a fixed clock. */
import { normalizeMessage, type MessageInput } from '../../src/conversation/normalize-message.ts';
import type { AssistantMessageBlock } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { NOW } from './play-body.ts';

type Loose<T> = T extends unknown ? Partial<T> : never;
export type LooseBlock = Loose<AssistantMessageBlock>;

/** Complete messages `m1`, `m2`, … with blocks `m1.1`, `m1.2`, … */
export function conversation(...inputs: readonly MessageInput[]): readonly ChatMessage[] {
  return inputs.map((input, index) => {
    let count = 0;
    const id = input.id ?? `m${String(index + 1)}`;
    return normalizeMessage({ ...input, id }, { now: NOW, newId: () => `${id}.${String(++count)}` });
  });
}

export const user = (text: string, more: Partial<MessageInput> = {}): MessageInput => ({ role: 'user', text, ...more });
export const system = (text: string): MessageInput => ({ role: 'system', text });
export const assistant = (blocks: string | readonly LooseBlock[], more: Partial<MessageInput> = {}): MessageInput => ({
  role: 'assistant',
  blocks: typeof blocks === 'string' ? [{ type: 'content', content: blocks }] : blocks,
  ...more,
});

export const toolBlock = (id: string, name: string, params: string, response?: string, failed = false): LooseBlock => ({
  type: 'tool_call',
  status: response === undefined ? 'loading' : failed ? 'error' : 'success',
  tool_call: { id, name, params, ...(response !== undefined && { response }) },
});

/** The data of a message that a button of a surface has sent. */
export const PRESS = {
  version: 'v0.9',
  surfaceId: 's',
  name: 'book',
  context: { who: 'Mia' },
  sourceComponentId: 'go',
};
