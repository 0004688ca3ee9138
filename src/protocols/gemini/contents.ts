/**
 * The conversation as Gemini takes it, and what of its own parts is kept for that. A signature goes back on the very part it came
 * with, or the next request is refused. Source: `gemini.md`, "Next turn".
 */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../model/reply-rounds.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { roundsOf } from '../../model/rounds.ts';

type RawPart = Readonly<Record<string, unknown>>;

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly RawPart[];
}

/** A part of a round as it came. */
interface KeptPart {
  readonly part: RawPart;
  /** The id of the call's block, which the wire need not have. */
  readonly call?: string;
  /** Its bytes stand in the message's block and are not kept twice. */
  readonly media?: true;
}

export interface PartKeeper {
  take(part: RawPart, more?: Omit<KeptPart, 'part'>): void;
  /** The place of a call in pieces, and what fills it when its arguments are whole. */
  takeLater(part: RawPart, call: string): (functionCall: RawPart) => void;
  items(): readonly KeptPart[];
}

/** Joins texts that nothing tells apart. One with a signature stays alone, even when it has no words. */
export function keepParts(): PartKeeper {
  const items: (KeptPart | undefined)[] = [];
  return {
    take(part, more = {}) {
      const words = plainText(part);
      if (words === undefined) items.push({ part, ...more });
      else if (words !== '') {
        const before = plainText(items.at(-1)?.part);
        if (before === undefined) items.push({ part: { text: words } });
        else items[items.length - 1] = { part: { text: before + words } };
      }
    },
    takeLater(part, call) {
      const place = items.push(undefined) - 1;
      return (functionCall) => {
        items[place] = { part: { ...part, functionCall }, call };
      };
    },
    items: () => items.filter((item) => item !== undefined),
  };
}

/** The words of a part that has nothing else. */
const plainText = (part: RawPart | undefined): string | undefined =>
  part && typeof part['text'] === 'string' && Object.keys(part).length === 1 ? part['text'] : undefined;

interface ContentOptions {
  /** Stands in for the signature of a call that this protocol did not make. */
  readonly signature: string | undefined;
}

/** The messages as contents; those of the system have their place elsewhere. */
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
      return mediaPart(block);
    default:
      return [];
  }
}

interface Bytes {
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly url?: string | undefined;
}

function mediaPart({ url, ...given }: Bytes): readonly RawPart[] {
  const { data, mimeType } = (given.data === undefined && url !== undefined && parseDataUrl(url)) || given;
  if (data !== undefined) return [{ inlineData: { mimeType: mimeType ?? 'application/octet-stream', data } }];
  return url === undefined ? [] : [{ fileData: { ...(mimeType && { mimeType }), fileUri: url } }];
}

type CallBlock = BlockOf<'tool_call'>;

/** What the provider ran itself is no call of ours. */
const isOurs = (block: AssistantMessageBlock): boolean =>
  block.type !== 'tool_call' || block.extra?.['remote'] !== true;

/** The rounds as they came; what no round was kept of (a reply that was stopped, another protocol's) is made of its blocks. */
function replyContents(message: ChatMessage, options: ContentOptions): readonly Content[] {
  const rounds = roundsOf(message, 'gemini').map(({ items }) => items.filter(isKept));
  const pictures = message.blocks.flatMap((block) => (MEDIA.has(block.type) ? [userPart(block)[0]] : []));
  const calls = message.blocks.flatMap((block, index) => (block.type === 'tool_call' ? [{ block, index }] : []));
  let told = -1;
  const contents = rounds.flatMap((items) => {
    const responses: RawPart[] = [];
    const parts = items.flatMap(({ part, call, media }): readonly RawPart[] => {
      if (media) {
        const picture = pictures.shift();
        return picture ? [{ ...part, ...picture }] : [];
      }
      if (call === undefined) return [part];
      const place = calls.findIndex(({ block }) => block.tool_call.id === call);
      // Taken out: a later round may have the same ids.
      const [found] = place < 0 ? [] : calls.splice(place, 1);
      told = Math.max(told, found?.index ?? -1);
      const asked = callOf(part, found?.block);
      responses.push(responseTo(asked, found?.block));
      return [{ ...part, functionCall: asked }];
    });
    return [...contentOf('model', parts), ...contentOf('user', responses)];
  });
  const last = rounds.at(-1);
  if (last && !endsWithCall(last)) return contents;
  return [...contents, ...blockContents(message.blocks.slice(told + 1), options)];
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file']);

const isKept = (item: unknown): item is KeptPart => isRecord(item) && isRecord(item['part']);

/** Only then can it be said which blocks came behind the round. */
const endsWithCall = (items: readonly KeptPart[]): boolean =>
  items.findLast(({ part }) => part['text'] !== '')?.call !== undefined;

function blockContents(blocks: readonly AssistantMessageBlock[], { signature }: ContentOptions): readonly Content[] {
  return splitRounds(blocks.filter(isOurs)).flatMap(({ text, calls }) => [
    ...contentOf('model', [
      ...(text ? [{ text }] : []),
      ...calls.map((block, index) => ({
        functionCall: callOf({ functionCall: { name: block.tool_call.name ?? '', args: {} } }, block),
        // Of calls side by side the first one is signed.
        ...(index === 0 && signature !== undefined && { thoughtSignature: signature }),
      })),
    ]),
    ...contentOf(
      'user',
      calls.map((block) => responseTo({ name: block.tool_call.name ?? '' }, block)),
    ),
  ]);
}

/** The call with the arguments that have run, where the reader has changed them. */
function callOf({ functionCall }: RawPart, block: CallBlock | undefined): RawPart {
  const call = isRecord(functionCall) ? functionCall : {};
  const args = parseJson(block?.tool_call.params ?? '');
  return isRecord(args) && (call['args'] !== undefined || Object.keys(args).length > 0) ? { ...call, args } : call;
}

/** Every call is answered, and by an object. */
function responseTo({ id, name }: RawPart, block: CallBlock | undefined): RawPart {
  const said = block?.tool_call.response;
  const response =
    said === undefined
      ? { error: 'This call was not run.' }
      : block?.status === 'error'
        ? { error: said }
        : { result: parseJson(said) ?? said };
  return { functionResponse: { ...(id !== undefined && { id }), name, response } };
}
