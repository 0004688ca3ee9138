/**
 * Surfaces belong to the conversation: a later message of the same agent may update or delete the surface of an earlier
 * one. Each is rendered once, in the block that created it.
 */
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import { own } from './data-model.ts';

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

/** Every surface element of a conversation asks for its instances, and a conversation may have hundreds. */
const known = new WeakMap<readonly ChatMessage[], readonly SurfaceInstance[]>();

export function surfaceInstances(conversation: readonly ChatMessage[]): readonly SurfaceInstance[] {
  const instances = known.get(conversation) ?? readInstances(conversation);
  known.set(conversation, instances);
  return instances;
}

function readInstances(conversation: readonly ChatMessage[]): readonly SurfaceInstance[] {
  let instances: InstanceDraft[] = [];
  const current = new Map<string, InstanceDraft>();
  const sent = new Map<string, readonly unknown[]>();
  for (const { id: messageId, agentId, blocks } of conversation) {
    // The frame of a surface names its agent, so another agent can't change it.
    const keyOf = (id: string): string => JSON.stringify([agentId, id]);
    for (const block of blocks) {
      const all = block.type === 'ui' ? listOf(block.ui) : undefined;
      if (!all) continue;
      const dataId = block.extra?.['dataId'];
      const source = keyOf(typeof dataId === 'string' ? dataId : block.id);
      const before = sent.get(source);
      sent.set(source, all);
      const repeated = before ? commonPrefix(before, all) : 0;
      let index = -1;
      for (const message of all) {
        index += 1;
        const id = surfaceIdOf(message);
        if (id === undefined) continue;
        let instance = current.get(keyOf(id));
        if (index < repeated) {
          // An agent may repeat the messages of earlier turns: repeated messages only mark the position of a link.
          instance?.blocks.add(block.id);
          continue;
        }
        if (!instance || (instance.deleted && !isRecord(own(message, 'deleteSurface')))) {
          if (instance?.blockId === block.id) instances = instances.filter((other) => other !== instance);
          if (instances.length >= MAX_INSTANCES) continue;
          const predecessors = instance ? instance.predecessors + 1 : 0;
          instance = {
            id,
            blockId: block.id,
            messageId,
            messages: [],
            blocks: new Set(),
            deleted: false,
            predecessors,
          };
          instances.push(instance);
          current.set(keyOf(id), instance);
        }
        instance.messages.push(message);
        instance.blocks.add(block.id);
        instance.deleted = isRecord(own(message, 'deleteSurface'));
      }
    }
  }
  return instances;
}

function listOf(ui: unknown): readonly unknown[] | undefined {
  const messages = own(ui, 'kind') === 'a2ui' ? own(ui, 'messages') : undefined;
  return Array.isArray(messages) ? (messages as unknown[]) : undefined;
}

/** The number of equal messages at the start of two lists. */
function commonPrefix(before: readonly unknown[], after: readonly unknown[]): number {
  const end = before.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(after[index]));
  return end < 0 ? before.length : end;
}

function surfaceIdOf(message: unknown): string | undefined {
  const id = KINDS.map((kind) => own(own(message, kind), 'surfaceId')).find((value) => typeof value === 'string');
  return typeof id === 'string' ? id : undefined;
}
