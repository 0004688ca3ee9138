/**
 * A2UI surfaces belong to the conversation: a later message of the same agent may update or delete the surface of an earlier
 * one. Each is rendered once, in the block that created it.
 */
import { enumerate } from '../../enumerate.ts';
import { isRecord } from '../../model/json.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { own } from './read/data-model.ts';
import { surfaceIdIn } from './read/read-messages.ts';

/** A surface from its creation to its deletion. A surface that is created again is a new instance, in another block. */
export interface SurfaceInstance {
  readonly id: string;
  /** The block that shows the surface, and its message. */
  readonly blockId: string;
  readonly messageId: string;
  /** All A2UI messages about the surface, in order. */
  readonly messages: readonly unknown[];
  /** The blocks that contain these messages. */
  readonly blocks: ReadonlySet<string>;
  readonly deleted: boolean;
  /** How many surfaces of this id and agent were there before. */
  readonly predecessors: number;
}

interface InstanceDraft extends SurfaceInstance {
  readonly messages: unknown[];
  readonly blocks: Set<string>;
  deleted: boolean;
}

/** The kinds of messages about a surface. `KINDS` in `read-messages.ts` applies them. */
const KINDS = [
  'createSurface',
  'beginRendering',
  'updateComponents',
  'surfaceUpdate',
  'updateDataModel',
  'dataModelUpdate',
  'deleteSurface',
];
const MAX_INSTANCES = 500;

/** A cache: each surface element asks for the instances of its conversation, which may have hundreds of elements. */
const known = new WeakMap<readonly ChatMessage[], readonly SurfaceInstance[]>();

export function surfaceInstances(conversation: readonly ChatMessage[]): readonly SurfaceInstance[] {
  const instances = known.get(conversation) ?? readInstances(conversation);
  known.set(conversation, instances);
  return instances;
}

function readInstances(conversation: readonly ChatMessage[]): readonly SurfaceInstance[] {
  const reader = new InstanceReader();
  for (const { id: messageId, agentId, blocks } of conversation)
    for (const block of blocks) {
      const all = block.type === 'ui' ? listOf(block.ui) : undefined;
      if (all) reader.take(all, { agentId, messageId, block });
    }
  return reader.instances;
}

/** The block that contains messages, with its message and agent. */
interface Place {
  readonly agentId: string | undefined;
  readonly messageId: string;
  readonly block: AssistantMessageBlock;
}

/** The instances so far, and what the messages of a block change in them. */
class InstanceReader {
  instances: readonly InstanceDraft[] = [];
  readonly #current = new Map<string, InstanceDraft>();
  /** The last messages of each agent and data id, which an agent gives to a block that it may send again. */
  readonly #sent = new Map<string, readonly unknown[]>();

  take(all: readonly unknown[], place: Place): void {
    const { agentId, block } = place;
    const dataId = block.extra?.['dataId'];
    const source = keyOf(agentId, typeof dataId === 'string' ? dataId : block.id);
    const before = this.#sent.get(source);
    this.#sent.set(source, all);
    const repeated = before ? commonPrefix(before, all) : 0;
    for (const [index, message] of enumerate(all)) {
      const id = surfaceIdOf(message);
      if (id === undefined) continue;
      // An agent may repeat the messages of earlier turns: repeated messages only mark the position of a link.
      if (index < repeated) this.#current.get(keyOf(agentId, id))?.blocks.add(block.id);
      else this.#apply(message, id, place);
    }
  }

  #apply(message: unknown, id: string, place: Place): void {
    const isDeletion = isRecord(own(message, 'deleteSurface'));
    const current = this.#current.get(keyOf(place.agentId, id));
    const instance = current && (!current.deleted || isDeletion) ? current : this.#create(id, place, current);
    if (!instance) return;
    instance.messages.push(message);
    instance.blocks.add(place.block.id);
    instance.deleted = isDeletion;
  }

  /** @param earlier - the deleted instance of this surface, which the new one replaces if both are in one block */
  #create(
    id: string,
    { agentId, messageId, block }: Place,
    earlier: InstanceDraft | undefined,
  ): InstanceDraft | undefined {
    if (earlier?.blockId === block.id) this.instances = this.instances.filter((other) => other !== earlier);
    if (this.instances.length >= MAX_INSTANCES) return undefined;
    const instance: InstanceDraft = {
      id,
      blockId: block.id,
      messageId,
      messages: [],
      blocks: new Set(),
      deleted: false,
      predecessors: earlier ? earlier.predecessors + 1 : 0,
    };
    this.instances = [...this.instances, instance];
    this.#current.set(keyOf(agentId, id), instance);
    return instance;
  }
}

/** The frame of a surface names its agent, so another agent can't change it. */
const keyOf = (agentId: string | undefined, id: string): string => JSON.stringify([agentId, id]);

function listOf(ui: unknown): readonly unknown[] | undefined {
  const messages = own(ui, 'kind') === 'a2ui' ? own(ui, 'messages') : undefined;
  return Array.isArray(messages) ? (messages as unknown[]) : undefined;
}

/** The number of equal messages at the start of two lists. */
function commonPrefix(before: readonly unknown[], after: readonly unknown[]): number {
  const end = before.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(after[index]));
  return end < 0 ? before.length : end;
}

const surfaceIdOf = (message: unknown): string | undefined =>
  KINDS.map((kind) => surfaceIdIn(own(message, kind))).find((id) => id !== undefined);
