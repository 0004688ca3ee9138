import type { AssistantMessageBlock, BlockType } from '../../model/blocks.ts';
import type { MessageType } from '../../model/agent-message.ts';
import type { ChatMessage } from '../../model/message.ts';
import { dataTypesOf, type AnyRenderer } from './renderer.ts';

/** The block type that shows a `MessageType`. */
const blockOfMessageType: Readonly<Record<MessageType, BlockType>> = {
  text: 'content',
  code: 'code',
  data: 'data',
  command: 'command_result',
  file: 'file',
  image: 'image',
  structured_data: 'data',
};

const blockOf = (type: BlockType | MessageType): BlockType =>
  Object.hasOwn(blockOfMessageType, type) ? blockOfMessageType[type as MessageType] : (type as BlockType);

/** The key of a renderer in the registry: all of its match conditions. */
const idOf = ({ type, dataType = '', toolName = '', agentTypes = [] }: AnyRenderer): string =>
  [type, dataType || toolName, agentTypes.join(',')].join(':').replace(/(?<!:):+$/, '');

/**
 * The renderers of a page. It dispatches `change` when they change. Of the renderers that match a block, the most
 * specific comes first, then the newest.
 */
export class RendererRegistry extends EventTarget {
  /** In the order of registration. Replaced renderers stay in the list, because the newer one may be removed again. */
  #all: readonly AnyRenderer[] = [];
  #renderers: ReadonlyMap<string, AnyRenderer> = new Map();

  /** Adds a renderer; it replaces one with the same match. @returns a function that removes it */
  register(renderer: AnyRenderer): () => void {
    const remove = (): void => {
      this.#set(this.#all.filter((other) => other !== renderer));
    };
    remove();
    this.#set([...this.#all, renderer]);
    return remove;
  }

  unregister(id: string): void {
    this.#set(this.#all.filter((renderer) => idOf(renderer) !== id));
  }

  get(id: string): AnyRenderer | undefined {
    return this.#renderers.get(id);
  }

  list(): readonly AnyRenderer[] {
    return [...this.#renderers.values()];
  }

  /**
   * The renderer of a type, for one agent if that has its own. One for exactly this type comes before one for another type of
   * the same block, such as `structured_data` and `data`. Renderers for a single tool or kind of data do not count.
   */
  getRenderer(type: BlockType | MessageType, agentId?: string): AnyRenderer | undefined {
    return this.list()
      .filter(
        (renderer) =>
          blockOf(renderer.type) === blockOf(type) &&
          (renderer.dataType ?? renderer.toolName) === undefined &&
          (!renderer.agentTypes || renderer.agentTypes.includes(agentId ?? '')),
      )
      .sort((left, right) => weight(left, left.type === type) - weight(right, right.type === type))
      .at(-1);
  }

  #set(all: readonly AnyRenderer[]): void {
    this.#all = all;
    // The newest renderer of a key keeps the position of its own registration, after older ones of other keys.
    const newestFirst = new Map<string, AnyRenderer>();
    for (const renderer of all.toReversed()) {
      if (!newestFirst.has(idOf(renderer))) newestFirst.set(idOf(renderer), renderer);
    }
    this.#renderers = new Map([...newestFirst].reverse());
    this.dispatchEvent(new Event('change'));
  }

  /** All renderers that match a block, the most specific first. */
  match(block: AssistantMessageBlock, message: ChatMessage): readonly AnyRenderer[] {
    if (this.#renderers.size === 0) return [];
    return this.list()
      .filter((renderer) => fits(renderer, block, message))
      .reverse()
      .sort((left, right) => weight(right, isExact(right, block)) - weight(left, isExact(left, block)));
  }
}

/** A tool or a kind of data counts more than the exact message type, and that more than the agent. */
const weight = ({ dataType, toolName, agentTypes }: AnyRenderer, exact: boolean): number =>
  ((dataType ?? toolName) === undefined ? 0 : 4) + (exact ? 2 : 0) + (agentTypes ? 1 : 0);

/**
 * Whether a renderer is for exactly the message type of a block. `data` and `structured_data` have the same block type, but
 * only structured data have the name of their kind in the metadata.
 */
const isExact = ({ type }: AnyRenderer, block: AssistantMessageBlock): boolean =>
  (type === 'structured_data') === (block.type === 'data' && block.data.metadata?.['dataType'] !== undefined);

function fits(renderer: AnyRenderer, block: AssistantMessageBlock, message: ChatMessage): boolean {
  const { type, dataType, toolName, agentTypes } = renderer;
  if (block.type !== blockOf(type)) return false;
  if (dataType !== undefined && !dataTypesOf(block).includes(dataType)) return false;
  if (toolName !== undefined && (block.type !== 'tool_call' || block.tool_call.name !== toolName)) return false;
  return !agentTypes || agentTypes.includes(message.agentId ?? '') || agentTypes.includes(message.name ?? '');
}

/** The registry that all widgets of the page share. */
export const renderers = new RendererRegistry();
