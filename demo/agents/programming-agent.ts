import type { AgentMessage, AgentResponse, BaseAgent } from 'agent-chat-element';
import { pause, respondTo, sayWords, type Respond } from './respond.ts';

type Code = NonNullable<AgentMessage['content']['code']>;

/** A code pattern to avoid: how it is found, its replacement, and the reason. */
interface Habit {
  readonly found: RegExp;
  readonly instead: string;
  readonly why: string;
}

const HABITS: readonly Habit[] = [
  { found: /\bvar\b/g, instead: 'let', why: '`var` is seen outside its block; `let` is not' },
  {
    found: /([^=!])==([^=])/g,
    instead: '$1===$2',
    why: '`==` compares after converting; `===` compares what is there',
  },
  { found: /!=([^=])/g, instead: '!==$1', why: '`!=` converts as `==` does' },
];

/** Reviews code that it receives, and writes code on request. Source: `docs/protocols/deepchat-events.md`. */
export const programmingAgent: BaseAgent = {
  id: 'programming-agent',
  name: 'Programming agent',
  description: 'Reviews code, or writes a little',
  capabilities: [
    { type: 'code_generation', description: 'Writes short functions' },
    { type: 'tool_call', description: 'Runs a check' },
    { type: 'reasoning', description: 'Says why' },
  ],
  async *processMessage(message, { signal } = { signal: new AbortController().signal }) {
    const respond = respondTo('programming-agent', message);
    yield* message.content.code
      ? review(message.content.code, respond, signal)
      : write(message.content.text ?? '', respond, signal);
  },
  getSupportedMessageTypes: () => ['text', 'code'],
  getConfigurationSchema: () => ({
    type: 'object',
    properties: { strict: { type: 'boolean', title: 'Report matters of taste too', default: false } },
  }),
};

async function* review(
  { language, content, filename = 'snippet' }: Code,
  respond: Respond,
  signal: AbortSignal,
): AsyncGenerator<AgentResponse, void, unknown> {
  const total = HABITS.length;
  for (let current = 0; current <= total; current++) {
    if (signal.aborted) return;
    const message = `${String(current)} of ${String(total)} rules`;
    yield respond('progress', { progress: { current, total, message } }, { id: `${filename}.rules` });
    await pause(260, signal);
  }
  const broken = HABITS.filter(({ found }) => content.search(found) >= 0);
  const lines = String(content.trimEnd().split('\n').length);
  const verdict =
    broken.length === 0
      ? 'nothing to improve'
      : `${String(broken.length)} ${broken.length === 1 ? 'thing' : 'things'} to improve`;
  yield* sayWords(respond, `I have read **${filename}**, ${lines} lines of ${language}: ${verdict}.\n\n`, signal);
  if (broken.length === 0) return;
  yield* sayWords(respond, `${broken.map(({ why }) => `- ${why}.`).join('\n')}\n`, signal);
  const better = broken.reduce((text, { found, instead }) => text.replace(found, instead), content);
  yield respond('code', { code: { language, content: better, filename } });
  const output = `check ${filename}\n${String(total)} rules, 0 problems\n`;
  yield respond('command_result', { commandResult: { success: true, output, exitCode: 0 } }, { status: 'complete' });
}

async function* write(
  text: string,
  respond: Respond,
  signal: AbortSignal,
): AsyncGenerator<AgentResponse, void, unknown> {
  const requested = text.trim() || 'a function';
  yield* sayWords(
    respond,
    `You asked for “${requested}”. This is what I can write without a model behind me:\n\n`,
    signal,
  );
  const content = `/** Cents as an amount in euros, for people. */
export const formatAmount = (cents: number, locale = 'en'): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(cents / 100);
`;
  yield respond('code', {
    code: { language: 'typescript', content, filename: 'format-amount.ts', output: 'formatAmount(7100) → €71.00' },
  });
  yield* sayWords(respond, 'Send me code instead of words, and I review it.', signal);
}
