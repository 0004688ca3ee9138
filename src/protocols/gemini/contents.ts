/**
 * Converts the conversation to Gemini's contents, and stores the original parts for that. A signature
 * (`thoughtSignature`) must be sent back with the part that it came with, or the next request is refused.
 * Source: `docs/protocols/gemini.md`.
 */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import { namedFileText } from '../../formats/attached-file.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { providerRounds } from '../../formats/provider-rounds.ts';

type RawPart = Readonly<Record<string, unknown>>;

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly RawPart[];
}

/** A part of a response, stored unchanged. */
interface StoredPart {
  readonly part: RawPart;
  /** The id of the call's block. The part itself may have no id. */
  readonly call?: string;
  /** The data is stored in the message's block and not duplicated here. */
  readonly media?: true;
}

export interface PartStore {
  take(part: RawPart, more?: Omit<StoredPart, 'part'>): void;
  /**
   * Reserves the position of a streamed call. The returned function stores the call when its arguments are complete.
   */
  reserve(part: RawPart, call: string): (functionCall: RawPart) => void;
  items(): readonly StoredPart[];
}

/** Stores parts and joins consecutive plain texts. A text with a signature stays separate, even when it is empty. */
export function makePartStore(): PartStore {
  const items: (StoredPart | undefined)[] = [];
  return {
    take(part, more = {}) {
      const text = plainText(part);
      if (text === undefined) items.push({ part, ...more });
      else if (text !== '') {
        const before = plainText(items.at(-1)?.part);
        if (before === undefined) items.push({ part: { text } });
        else items[items.length - 1] = { part: { text: before + text } };
      }
    },
    reserve(part, call) {
      const index = items.push(undefined) - 1;
      return (functionCall) => {
        items[index] = { part: { ...part, functionCall }, call };
      };
    },
    items: () => items.filter((item) => item !== undefined),
  };
}

/** The text of a part that has no other field. */
const plainText = (part: RawPart | undefined): string | undefined =>
  part && typeof part['text'] === 'string' && Object.keys(part).length === 1 ? part['text'] : undefined;

interface ContentOptions {
  /** The replacement for the signature of a call that another protocol made. */
  readonly signature: string | undefined;
}

/** Converts messages to contents. System messages are sent in another field. */
export const toContents = (messages: readonly ChatMessage[], options: ContentOptions): readonly Content[] =>
  messages.flatMap((message) => {
    if (message.role === 'user') return contentOf('user', message.blocks.flatMap(userPart));
    return message.role === 'assistant' ? replyContents(message, options) : [];
  });

const contentOf = (role: Content['role'], parts: readonly RawPart[]): readonly Content[] =>
  parts.length > 0 ? [{ role, parts }] : [];

function userPart(block: AssistantMessageBlock): readonly RawPart[] {
  switch (block.type) {
    case 'content':
      return block.content ? [{ text: block.content }] : [];
    case 'image':
      return mediaPart({ ...block.image_data, url: block.url });
    case 'audio':
    case 'video':
    case 'file':
      return textPart(block) ?? mediaPart(block);
    default:
      return [];
  }
}

/** Sends a text file as text: browsers report `app.ts` as a video, and Google refuses unknown types. */
function textPart(block: BlockOf<'file' | 'audio' | 'video'>): readonly RawPart[] | undefined {
  const text = namedFileText(block);
  return text === undefined ? undefined : [{ text }];
}

interface Bytes {
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly url?: string | undefined;
}

function mediaPart({ url, ...inline }: Bytes): readonly RawPart[] {
  const { data, mimeType } = (inline.data === undefined && url !== undefined && parseDataUrl(url)) || inline;
  if (data !== undefined) return [{ inlineData: { mimeType: mimeType ?? 'application/octet-stream', data } }];
  return url === undefined ? [] : [{ fileData: { ...(mimeType && { mimeType }), fileUri: url } }];
}

type CallBlock = BlockOf<'tool_call'>;

/** Whether a block is not a call that the provider ran. */
const isClientBlock = (block: AssistantMessageBlock): boolean =>
  block.type !== 'tool_call' || block.extra?.['remote'] !== true;

/**
 * The stored rounds of the reply. Without stored rounds (a stopped reply, another protocol), the contents are built
 * from the blocks.
 */
function replyContents(message: ChatMessage, options: ContentOptions): readonly Content[] {
  const rounds = providerRounds(message, 'gemini').map(({ items }) => items.filter(isStoredPart));
  const mediaParts = message.blocks.flatMap((block) => (MEDIA.has(block.type) ? [userPart(block)[0]] : []));
  const calls = message.blocks.flatMap((block, index) => (block.type === 'tool_call' ? [{ block, index }] : []));
  let lastIndex = -1;
  const contents = rounds.flatMap((items) => {
    const responses: RawPart[] = [];
    const parts = items.flatMap(({ part, call, media }): readonly RawPart[] => {
      if (media) {
        const storedMedia = mediaParts.shift();
        return storedMedia ? [{ ...part, ...storedMedia }] : [];
      }
      if (call === undefined) return [part];
      const index = calls.findIndex(({ block }) => block.tool_call.id === call);
      // Removed from the list, because a later round may use the same ids.
      const [match] = index < 0 ? [] : calls.splice(index, 1);
      lastIndex = Math.max(lastIndex, match?.index ?? -1);
      const functionCall = callOf(part, match?.block);
      responses.push(responseTo(functionCall, match?.block));
      return [{ ...part, functionCall }];
    });
    return [...contentOf('model', parts), ...contentOf('user', responses)];
  });
  const last = rounds.at(-1);
  if (last && !endsWithCall(last)) return contents;
  return [...contents, ...blockContents(message.blocks.slice(lastIndex + 1), options)];
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file']);

const isStoredPart = (item: unknown): item is StoredPart => isRecord(item) && isRecord(item['part']);

/** Whether a round ends with a call: then the blocks after the call belong to a round that was not stored. */
const endsWithCall = (items: readonly StoredPart[]): boolean =>
  items.findLast(({ part }) => part['text'] !== '')?.call !== undefined;

function blockContents(blocks: readonly AssistantMessageBlock[], { signature }: ContentOptions): readonly Content[] {
  return splitRounds(blocks.filter(isClientBlock)).flatMap(({ text, calls }) => [
    ...contentOf('model', [
      ...(text ? [{ text }] : []),
      ...calls.map((block, index) => ({
        functionCall: callOf({ functionCall: { name: block.tool_call.name ?? '', args: {} } }, block),
        // Of parallel calls only the first has a signature.
        ...(index === 0 && signature !== undefined && { thoughtSignature: signature }),
      })),
    ]),
    ...contentOf(
      'user',
      calls.map((block) => responseTo({ name: block.tool_call.name ?? '' }, block)),
    ),
  ]);
}

/** The call with its executed arguments, which the user may have edited. */
function callOf({ functionCall }: RawPart, block: CallBlock | undefined): RawPart {
  const call = isRecord(functionCall) ? functionCall : {};
  const args = parseJson(block?.tool_call.params ?? '');
  return isRecord(args) && (call['args'] !== undefined || Object.keys(args).length > 0) ? { ...call, args } : call;
}

/** Every call needs a response, which must be an object. */
function responseTo({ id, name }: RawPart, block: CallBlock | undefined): RawPart {
  const result = block?.tool_call.response;
  const response =
    result === undefined
      ? { error: 'This call was not run.' }
      : block?.status === 'error'
        ? { error: result }
        : { result: parseJson(result) ?? result };
  return { functionResponse: { ...(id !== undefined && { id }), name, response } };
}
