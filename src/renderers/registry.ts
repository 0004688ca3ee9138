import type { AssistantMessageBlock, BlockType } from '../model/blocks.ts';
import type { MessageType } from '../model/agent-message.ts';
import type { ChatMessage } from '../model/message.ts';
import { dataTypesOf, type AnyRenderer } from './renderer.ts';

/** The block that a `MessageType` is shown by. */
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

/** How a renderer is named in the registry: by all that it is for. */
const idOf = ({ type, dataType = '', toolName = '', agentTypes = [] }: AnyRenderer): string =>
  [type, dataType || toolName, agentTypes.join(',')].join(':').replace(/:+$/, '');

/**
 * The renderers of a page, which hears `change` when there are others. Among those that fit a block the most particular comes first, then the newest.
 * Source: the contract; DeepChat strong-typed events, section 8.
 */
export class RendererRegistry extends EventTarget {
  /** In the order of their coming, those too that a newer one stands in the place of: it may be taken back. */
  #all: readonly AnyRenderer[] = [];
  #renderers: ReadonlyMap<string, AnyRenderer> = new Map();

  /** Adds a renderer, in the place of one for the same. @returns what takes it back */
  register(renderer: AnyRenderer): () => void {
    const takeBack = (): void => {
      this.#set(this.#all.filter((other) => other !== renderer));
    };
    takeBack();
    this.#set([...this.#all, renderer]);
    return takeBack;
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

  /** The renderer of a type, for one agent where it has one of its own. One for a single tool or kind of data is not it. */
  getRenderer(type: BlockType | MessageType, agentId?: string): AnyRenderer | undefined {
    const fitting = this.list().filter(
      (renderer) =>
        blockOf(renderer.type) === blockOf(type) &&
        (renderer.dataType ?? renderer.toolName) === undefined &&
        (!renderer.agentTypes || renderer.agentTypes.includes(agentId ?? '')),
    );
    return fitting.findLast((renderer) => renderer.agentTypes) ?? fitting.at(-1);
  }

  #set(all: readonly AnyRenderer[]): void {
    this.#all = all;
    // The newest of a name stands where it came, behind older ones of other names.
    const newestFirst = new Map<string, AnyRenderer>();
    for (const renderer of all.toReversed()) {
      if (!newestFirst.has(idOf(renderer))) newestFirst.set(idOf(renderer), renderer);
    }
    this.#renderers = new Map([...newestFirst].reverse());
    this.dispatchEvent(new Event('change'));
  }

  /** All that fit a block, the most particular first. */
  match(block: AssistantMessageBlock, message: ChatMessage): readonly AnyRenderer[] {
    if (this.#renderers.size === 0) return [];
    return this.list()
      .filter((renderer) => fits(renderer, block, message))
      .reverse()
      .sort((left, right) => weight(right) - weight(left));
  }
}

const weight = ({ dataType, toolName, agentTypes }: AnyRenderer): number =>
  (dataType ?? toolName) === undefined ? (agentTypes ? 1 : 0) : agentTypes ? 3 : 2;

function fits(renderer: AnyRenderer, block: AssistantMessageBlock, message: ChatMessage): boolean {
  const { type, dataType, toolName, agentTypes } = renderer;
  if (block.type !== blockOf(type)) return false;
  if (dataType !== undefined && !dataTypesOf(block).includes(dataType)) return false;
  if (toolName !== undefined && (block.type !== 'tool_call' || block.tool_call.name !== toolName)) return false;
  return !agentTypes || agentTypes.includes(message.agentId ?? '') || agentTypes.includes(message.name ?? '');
}

/** The registry that every widget shares. */
export const renderers = new RendererRegistry();
