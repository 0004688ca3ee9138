import type { AgentResponse, BaseAgent } from 'agent-chat-element';
import { pause, respondTo, sayWords, type Respond } from './respond.ts';

interface Query {
  readonly symbol: string;
  readonly days: number;
}

const DEFAULT_DAYS = 10;
const MOST_DAYS = 60;

/** Looks up invented prices. Source: `docs/protocols/deepchat-events.md`. */
export const stockAgent: BaseAgent = {
  id: 'stock-agent',
  name: 'Stock agent',
  description: 'Prices, made up from the symbol',
  capabilities: [
    { type: 'data_analysis', description: 'Sums up a time series' },
    { type: 'search', description: 'Finds a symbol in words' },
    { type: 'tool_call', description: 'Asks the exchange' },
  ],
  async *processMessage({ content, ...message }, { signal } = { signal: new AbortController().signal }) {
    const respond = respondTo('stock-agent', { content, ...message });
    const query =
      content.structured?.type === 'stock_query'
        ? queryOf(content.structured.data)
        : queryInWords(content.text ?? '', daysOf(message.metadata['configuration']));
    if (query) yield* report(query, respond, signal);
    else {
      const help = 'Name a symbol in capital letters, for example “How is **NWO** doing?”, or send a `stock_query`.';
      yield* sayWords(respond, help, signal);
    }
  },
  getSupportedMessageTypes: () => ['text', 'structured_data'],
  getConfigurationSchema: () => ({
    type: 'object',
    properties: { days: { type: 'integer', title: 'Days to look back', default: DEFAULT_DAYS, maximum: MOST_DAYS } },
  }),
};

/** The input is validated: an agent of a page may receive anything. */
function queryOf(data: unknown): Query | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { symbol, days } = data as { readonly symbol?: unknown; readonly days?: unknown };
  if (typeof symbol !== 'string' || !/^[A-Z]{1,5}$/.test(symbol)) return undefined;
  const requested = typeof days === 'number' && Number.isInteger(days) && days > 1 ? days : DEFAULT_DAYS;
  return { symbol, days: Math.min(MOST_DAYS, requested) };
}

const queryInWords = (text: string, days: number): Query | undefined => {
  const [symbol] = /\b[A-Z]{2,5}\b/.exec(text) ?? [];
  return symbol === undefined ? undefined : { symbol, days };
};

/** What the user has chosen in the form of the schema. */
function daysOf(configuration: unknown): number {
  const { days } = (configuration ?? {}) as { readonly days?: unknown };
  return typeof days === 'number' && days > 1 ? Math.min(MOST_DAYS, days) : DEFAULT_DAYS;
}

async function* report(
  { symbol, days }: Query,
  respond: Respond,
  signal: AbortSignal,
): AsyncGenerator<AgentResponse, void, unknown> {
  for (const [current, message] of ['Asking the exchange', 'Reading prices', 'Done'].entries()) {
    if (signal.aborted) return;
    yield respond('progress', { progress: { current, total: 2, message } }, { id: `${symbol}.progress` });
    await pause(300, signal);
  }
  const prices = pricesOf(symbol, days);
  const [first, last] = [prices[0]?.price ?? 0, prices.at(-1)?.price ?? 0];
  const change = ((last / first - 1) * 100).toFixed(1);
  yield* sayWords(
    respond,
    `**${symbol}** closed at **${last.toFixed(2)}**, ${change} % against ${String(days)} days before.\n`,
    signal,
  );
  yield respond('data', {
    data: {
      format: 'json',
      content: JSON.stringify(prices.map(({ day, price }) => ({ label: day, value: price }))),
      visualization: { type: 'line', title: `${symbol}, closing price` },
    },
  });
  const csv = ['Day,Price', ...prices.slice(-5).map(({ day, price }) => `${day},${price.toFixed(2)}`)].join('\r\n');
  yield respond('data', { data: { format: 'csv', content: csv } }, { status: 'complete' });
}

/** A random walk seeded by the letters of the symbol, so that a symbol always has the same history. */
function pricesOf(symbol: string, days: number): readonly { readonly day: string; readonly price: number }[] {
  let state = Array.from(symbol).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 2147483647;
  let price = 40 + (state % 120);
  return Array.from({ length: days }, (_, index) => {
    state = (state * 48271) % 2147483647;
    price *= 1 + (state / 2147483647 - 0.48) / 20;
    const date = new Date(Date.now() - (days - 1 - index) * 86_400_000);
    return { day: date.toISOString().slice(5, 10), price: Math.round(price * 100) / 100 };
  });
}
