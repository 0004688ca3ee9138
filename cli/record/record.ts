/**
 * `agent-chat-element record <url> "question"`: saves one reply to a file, in the format of the stream inspector's
 * download.
 */
import { writeFile } from 'node:fs/promises';
import type { Recording } from '../../src/runtime/trace/recording.ts';
import { maskFor, oneLine } from '../mask.ts';
import { readAddress, UsageError, type Options } from '../options.ts';
import type { Output } from '../terminal.ts';
import { adapterOf } from '../turn/adapter-of.ts';
import { askTurn, type Reply } from '../turn/ask.ts';

export async function record(options: Options, out: Output): Promise<number> {
  const [address, text] = options.rest;
  const url = readAddress(address);
  if (text === undefined || text === '') throw new UsageError('record takes an address and a question. See --help.');
  const { headers, body, timeout } = options;
  const mask = maskFor(headers, address);
  const adapter = await adapterOf(options);
  let reply: Reply;
  try {
    reply = await askTurn({ url, headers, body, adapter, timeout, threadId: `record-${String(Date.now())}` }, { text });
  } catch (error) {
    out.note(`${url.host} can't be reached: ${mask.text(oneLine(String(error)))}`);
    return 1;
  }
  if (reply.status >= 300 || reply.frames.length === 0) {
    const why = reply.refusal ?? reply.problem?.message ?? '';
    out.note(`Nothing to record: ${String(reply.status)} ${mask.text(oneLine(why, 300))}`);
    return 1;
  }
  const recording = mask.json(recordingOf(reply));
  const file = options.out ?? `recording-${recording.protocol ?? 'unknown'}.json`;
  await writeFile(file, `${JSON.stringify(recording, undefined, 2)}\n`);
  out.print(`${file}: ${String(recording.frames.length)} frames in ${recording.protocol ?? 'an unknown protocol'}.`);
  out.print(
    'It contains your message and the complete reply. Header values and anything that looks like a key are masked; check it before you share it.',
  );
  return 0;
}

function recordingOf({ adapter, framing = 'text', headers, problem, frames, messages }: Reply): Recording {
  return {
    version: 1,
    ...(adapter && { protocol: adapter.id }),
    framing,
    contentType: headers['content-type'] ?? '',
    ...(problem?.reason === 'dropped' && { broken: true as const }),
    frames,
    messages,
  };
}
