/** The content of the messages that the widget made of a stream, in the form of `expected/summary.ts`. */
import type { AssistantMessageBlock } from '../src/model/blocks.ts';
import type { ChatMessage } from '../src/model/message.ts';
import { canonicalArguments, type ExpectedEnd, type Summary } from './expected/summary.ts';

export function shownSummary(messages: readonly ChatMessage[]): Summary {
  const blocks = messages.flatMap((message) => message.blocks);
  return {
    text: join(blocks, 'content'),
    reasoning: join(blocks, 'reasoning_content'),
    calls: blocks.flatMap((block) => (block.type === 'tool_call' ? [callOf(block)] : [])),
    sources: [...new Set(blocks.flatMap(sourcesOf))].sort(),
    images: blocks.filter(({ type }) => type === 'image').length,
    errors: blocks.flatMap((block) => (block.type === 'error' && !isOwn(block) ? [block.content] : [])),
    end: endOf(messages.at(-1)),
  };
}

const join = (blocks: readonly AssistantMessageBlock[], type: 'content' | 'reasoning_content'): string =>
  blocks.map((block) => (block.type === type ? block.content : '')).join('');

const callOf = ({ tool_call: { id, name, params } }: Extract<AssistantMessageBlock, { type: 'tool_call' }>) => ({
  id: id ?? '',
  name: name ?? '',
  args: canonicalArguments(params ?? ''),
});

const sourcesOf = (block: AssistantMessageBlock): readonly string[] =>
  block.type === 'content' ? (block.citations ?? []).flatMap(({ url }) => (url === undefined ? [] : [url])) : [];

/** An error of the widget itself: the stream has no end, or nothing else. */
const isOwn = ({ extra }: AssistantMessageBlock): boolean =>
  extra?.['reason'] === 'cut' || extra?.['reason'] === 'empty';

function endOf(message: ChatMessage | undefined): ExpectedEnd {
  if (!message || message.status === 'interrupted' || message.blocks.some(isOwn)) return 'cut';
  const { finish } = message;
  return finish === undefined || finish === 'cancelled' ? 'cut' : finish;
}
