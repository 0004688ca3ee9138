/** The widget of the start page. It answers from recordings, which it states, and detects their protocol. */
import type { AgentChat } from 'agent-chat-element';
import { addressOf, answering } from './play-stream.ts';
import { keyOf, streams } from './streams.ts';

const STARTERS = [
  { label: 'Why did our refund rate go up in March?', stream: 'agent-session/answer' },
  { label: 'What did the warehouse say about the Trail 40 buckle?', stream: 'agent-phase/citations' },
  { label: 'Can a customer return a tent that was used once?', stream: 'message-field/suggestions' },
] as const;

export function startHero(chat: AgentChat): void {
  chat.suggestions = STARTERS.map(({ label }) => label);
  chat.greeting = 'Ask something. Each answer is a recorded stream of another protocol, played in this page.';
  const take = (words: string): void => {
    const wanted = STARTERS.find(({ label }) => label === words) ?? STARTERS[0];
    const stream = streams().find((one) => keyOf(one) === wanted.stream);
    if (stream) Object.assign(chat, { endpoint: addressOf(stream), fetch: answering(stream) });
  };
  chat.addEventListener('agent-chat-send', ({ detail: { message } }) => {
    take(message.blocks.map((block) => (block.type === 'content' ? block.content : '')).join(''));
  });
  take('');
}
