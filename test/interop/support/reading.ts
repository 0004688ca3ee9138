/** What a client has made of a stream, said so that ours and a vendor's can be held against each other. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChatMessage, FinishReason } from '../../../src/model/message.ts';
import { isRecord, parseJson } from '../../../src/model/json.ts';
import { realChat } from './real-chat.ts';
import type { Replay } from './replay-server.ts';

export interface CallReading {
  readonly id: string;
  readonly name: string;
  /** Parsed, where it can be. */
  readonly input: unknown;
}

export interface Reading {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly CallReading[];
  /** The addresses of what was cited, in order, or its words where it has none. */
  readonly sources: readonly string[];
  /** `error` where the client has thrown. */
  readonly stop: FinishReason | undefined;
  readonly tokens: readonly [prompt: number, completion: number] | undefined;
  readonly error: string | undefined;
}

export const emptyReading: Reading = {
  text: '',
  thoughts: '',
  calls: [],
  sources: [],
  stop: undefined,
  tokens: undefined,
  error: undefined,
};

/** Arguments as what they say; those that were cut off as they came. */
export const inputOf = (text: string): unknown => parseJson(text) ?? text;

/** What a client has thrown: an error, or an event that tells of one. */
export const wordsOf = (thrown: unknown): string => (isRecord(thrown) ? String(thrown['message']) : String(thrown));

/** Where we read something else than the vendor's client, on purpose. */
type Differences = {
  readonly [Field in keyof Reading]?: {
    readonly theirs: Reading[Field];
    readonly ours: Reading[Field];
    readonly why: string;
  };
};

export interface StreamRow {
  readonly name: string;
  readonly body: string | Uint8Array;
  /** Something that both have to find, so that two empty readings do not agree. */
  readonly has: Partial<Reading>;
  readonly differs?: Differences;
}

/** Each stream is read by both clients, and gives the same but for what its row tells. */
export function testReadings(
  rows: readonly StreamRow[],
  { path, server, theirs }: { path: string; server: () => Replay; theirs: (origin: string) => Promise<Reading> },
): void {
  for (const { name, body, has, differs = {} } of rows) {
    it(name, async () => {
      const { origin, serve } = server();
      serve(body);
      const read = await theirs(origin);
      const ours = await readOurs(origin + path);
      const sides = (side: 'theirs' | 'ours'): Partial<Reading> =>
        Object.fromEntries(Object.entries(differs).map(([field, difference]) => [field, difference[side]]));
      assert.deepEqual(read, { ...read, ...has, ...sides('theirs') }, 'the vendor’s client');
      assert.deepEqual(ours, { ...read, ...sides('ours') }, 'ours');
      for (const [field, difference] of Object.entries(differs)) {
        assert.notDeepEqual(difference.theirs, difference.ours, `${field} does not differ`);
      }
    });
  }
}

async function readOurs(endpoint: string): Promise<Reading> {
  const { chat } = realChat({ endpoint, protocol: 'auto' });
  return readingOf(await chat.send('Hi'));
}

function readingOf({ blocks, finish, usage }: ChatMessage): Reading {
  return {
    text: blocks.map((block) => (block.type === 'content' ? block.content : '')).join(''),
    thoughts: blocks.map((block) => (block.type === 'reasoning_content' ? block.content : '')).join(''),
    calls: blocks.flatMap((block) =>
      block.type === 'tool_call'
        ? [
            {
              id: block.tool_call.id ?? '',
              name: block.tool_call.name ?? '',
              input: inputOf(block.tool_call.params || '{}'),
            },
          ]
        : [],
    ),
    sources: blocks.flatMap((block) =>
      block.type === 'content' ? (block.citations ?? []).map(({ id, url, quote }) => url ?? quote ?? id) : [],
    ),
    stop: finish,
    tokens: usage && [usage.prompt_tokens, usage.completion_tokens],
    error: blocks.flatMap((block) => (block.type === 'error' ? [block.content] : []))[0],
  };
}
