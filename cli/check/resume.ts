/** Closes the connection in the middle of a reply, and asks for the rest as the widget does after a lost connection. */
import { ChatError } from '../../src/errors.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { textOf } from '../../src/model/message-text.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { oneLine, type Mask } from '../mask.ts';
import { askRest, askTurn, type Endpoint, type Reply } from '../turn/ask.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

export async function resumeOf(
  endpoint: Endpoint & { readonly adapter: Adapter },
  question: string,
  mask: Mask,
): Promise<readonly Finding[]> {
  if (!endpoint.adapter.resume)
    return [ok('resume', 'The protocol has no way to continue a reply after a lost connection.')];
  try {
    const part = await askTurn(endpoint, { text: question, leave: 'first-text' });
    if (part.status === 429)
      return [ok('resume', "The server limits the number of messages (429): a lost connection can't be tried.")];
    const rest = await askRest(endpoint, part);
    if (!rest) return [ok('resume', 'The server says nothing that a reply could be continued by.')];
    const { reply, from } = rest;
    if (reply.status >= 300 || reply.status === NOTHING_RUNS) return [refusedWith(reply.status)];
    return [compare(part, reply, { from, mask })];
  } catch (error) {
    if (error instanceof ChatError && error.status !== undefined) return [refusedWith(error.status)];
    return [warning('resume', `The rest of a reply did not come: ${mask.text(oneLine(String(error)))}`)];
  }
}

const NOTHING_RUNS = 204;

const refusedWith = (status: number): Finding => {
  const text = `The rest of a reply is not stored: the server answered ${String(status)}.`;
  return status >= 500 ? warning('resume', text) : ok('resume', `${text} The user can send the message again.`);
};

const assistantText = (messages: readonly ChatMessage[]): string =>
  messages
    .filter(({ role }) => role === 'assistant')
    .map(textOf)
    .join('');

interface Comparison {
  readonly from: 'start' | 'last';
  readonly mask: Mask;
}

function compare(part: Reply, { messages, frames, outcome, problem }: Reply, { from, mask }: Comparison): Finding {
  const partialText = assistantText(part.messages);
  const whole = assistantText(messages);
  const shown = (text: string): string => mask.text(oneLine(text, 60));
  if (from === 'last') {
    const known = new Set(part.frames.map(keyOf));
    const again = whole.startsWith(partialText) && whole.slice(partialText.length).startsWith(partialText);
    // A reply may repeat a word; an event with the same content and id is the same event.
    if (partialText !== '' && again && frames.some((frame) => known.has(keyOf(frame))))
      return failure('resume', `The rest of a reply repeats what was received before: "${shown(partialText)}".`);
  }
  if (outcome?.status === 'error' && whole.length <= (from === 'last' ? partialText.length : 0))
    return ok('resume', 'The rest of a reply is not stored: the server answered with an error.');
  if (frames.length === 0) return warning('resume', `Nothing came after "${shown(partialText)}".`);
  if (!whole.startsWith(partialText) || whole === '')
    return warning('resume', `The rest of "${shown(partialText)}" does not continue it: "${shown(whole)}".`);
  if (outcome?.status !== 'complete')
    return warning('resume', `The rest of a reply has no end: ${shown(problem?.message ?? 'an error of the agent')}`);
  return ok('resume', `A reply continues after a lost connection, ${HOW[from]}.`);
}

const HOW = { last: 'after the last event', start: 'from its start' } as const;

const keyOf = ({ id = '', data }: Frame): string => `${id} ${data}`;
