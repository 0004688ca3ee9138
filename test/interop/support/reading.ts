/** The result of reading a stream, in a form that makes our client and a vendor's comparable. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChatMessage, FinishReason } from '../../../src/model/message.ts';
import { isRecord, parseJson } from '../../../src/model/json.ts';
import { realChat } from './real-chat.ts';
import type { Replay } from './replay-server.ts';

export interface CallReading {
  readonly id: string;
  readonly name: string;
  /** Parsed if it is valid JSON. */
  readonly input: unknown;
}

export interface Reading {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallReading[];
  /** The URLs of the citations in order, or the quoted text of those without a URL. */
  readonly sources: readonly string[];
  /** `error` if the client has thrown. */
  readonly stop: FinishReason | undefined;
  readonly tokens: readonly [prompt: number, completion: number] | undefined;
  readonly error: string | undefined;
}

export const emptyReading: Reading = {
  text: '',
  reasoning: '',
  calls: [],
  sources: [],
  stop: undefined,
  tokens: undefined,
  error: undefined,
};

/** Parsed arguments; truncated ones unchanged. */
export const inputOf = (text: string): unknown => parseJson(text) ?? text;

/** The message of a client's exception: an error, or an error event. */
export const errorMessageOf = (error: unknown): string => (isRecord(error) ? String(error['message']) : String(error));

/** Intended differences between our reading and that of the vendor's client. */
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
  /** Fields that both readings must have, so that two empty readings do not agree. */
  readonly has: Partial<Reading>;
  readonly differs?: Differences;
}

/** Reads each stream with both clients, and compares the results except for the intended differences. */
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
    reasoning: blocks.map((block) => (block.type === 'reasoning_content' ? block.content : '')).join(''),
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
