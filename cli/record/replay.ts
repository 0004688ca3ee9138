/**
 * `agent-chat-element replay <file…>`: parses recorded replies. With `--against <url>` it sends their messages again
 * and compares the replies: the protocol, the kinds of blocks, the tools, the end. The text is not compared, because it
 * differs each time.
 */
import type { ChatMessage } from '../../src/model/message.ts';
import { textOf } from '../../src/model/message-text.ts';
import type { Recording } from '../../src/runtime/trace/recording.ts';
import { replay } from '../../src/runtime/trace/replay.ts';
import { oneLine } from '../mask.ts';
import { readAddress, UsageError, type Options } from '../options.ts';
import type { Output } from '../terminal.ts';
import { adapterOf, readJsonFile } from '../turn/adapter-of.ts';
import { askTurn } from '../turn/ask.ts';
import { playRecording } from './play.ts';

/** The structure of a reply, without its text. */
interface Shape {
  readonly protocol: string;
  /** The block types in order, without consecutive repetitions. */
  readonly blocks: string;
  readonly tools: string;
  readonly finish: string;
}

export async function replayFiles(options: Options, out: Output): Promise<number> {
  if (options.rest.length === 0) throw new UsageError('replay takes a file. See --help.');
  const results: {
    readonly file: string;
    readonly recorded: Shape;
    readonly now?: Shape;
    readonly differences: readonly string[];
  }[] = [];
  for (const file of options.rest) {
    // `replay` validates it before playing it.
    const recording = (await readJsonFile(file)) as Recording;
    const settings = await replay(recording).catch((cause: unknown) => {
      throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    const played = await playRecording(settings);
    const recorded = shapeOf(recording.protocol, recording.messages.slice(1));
    const now =
      options.against === undefined ? shapeOf(played.protocol, played.messages) : await askAgain(recording, options);
    results.push({ file, recorded, now, differences: differencesOf(recorded, now) });
    if (options.json) continue;
    out.print(file);
    out.print(
      `  ${recorded.protocol}: ${recorded.blocks} (${recorded.finish})${recorded.tools === '' ? '' : `, tools ${recorded.tools}`}`,
    );
    if (options.against === undefined)
      out.print(`  ${oneLine(played.messages.map((message) => textOf(message)).join(' '), 300)}`);
    for (const difference of differencesOf(recorded, now)) out.print(`  ✗ ${difference}`);
    if (differencesOf(recorded, now).length === 0)
      out.print(`  ✓ ${options.against === undefined ? 'read as it was recorded' : 'answered in the same way'}`);
  }
  if (options.json) out.printJson(results);
  return results.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

async function askAgain(recording: Recording, options: Options): Promise<Shape> {
  const url = readAddress(options.against);
  const { headers, body, timeout } = options;
  const [userMessage] = recording.messages;
  const text = (userMessage && textOf(userMessage)) ?? '';
  if (text === '') throw new UsageError('The recording has no message to send again.');
  const adapter = await adapterOf(options);
  try {
    const reply = await askTurn(
      { url, headers, body, adapter, timeout, threadId: `replay-${String(Date.now())}` },
      { text },
    );
    if (reply.status >= 300)
      return { protocol: `refused with ${String(reply.status)}`, blocks: '', tools: '', finish: 'error' };
    return shapeOf(reply.adapter?.id, reply.messages.slice(1));
  } catch (error) {
    return { protocol: oneLine(String(error)), blocks: '', tools: '', finish: 'error' };
  }
}

function shapeOf(protocol: string | undefined, messages: readonly ChatMessage[]): Shape {
  const blocks = messages.flatMap((message) => message.blocks);
  const kinds = blocks
    .map(({ type }) => type)
    .filter((type, index, all) => type !== 'status' && type !== all[index - 1]);
  const tools = blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.name ?? ''] : []));
  const last = messages.at(-1);
  return {
    protocol: protocol ?? 'unknown',
    blocks: kinds.join(', '),
    tools: tools.join(', '),
    finish: last?.finish ?? last?.status ?? 'nothing',
  };
}

const differencesOf = (recorded: Shape, now: Shape): readonly string[] =>
  (['protocol', 'blocks', 'tools', 'finish'] as const)
    .filter((field) => recorded[field] !== now[field])
    .map((field) => `${field}: was ${recorded[field] || 'none'}, is ${now[field] || 'none'}`);
