/** The options of the demo: the page fills its controls from these lists, and the server answers by them. */

/**
 * The protocols of the agent server, as the page groups them. `deepchat-core` is the model layer of `deepchat-events`.
 */
export const PROTOCOL_GROUPS = {
  'Agent streams': [
    'agent-session',
    'agent-phase',
    'message-field',
    'deepchat-events',
    'deepchat-core',
    'agentscope-msg',
  ],
  'Model providers': [
    'openai-chat',
    'openai-responses',
    'anthropic',
    'gemini',
    'gemini-interactions',
    'ollama',
    'cohere',
  ],
  'Agent servers': [
    'ai-sdk',
    'ai-sdk-v4',
    'assistant-transport',
    'ag-ui',
    'langgraph',
    'a2a',
    'agentscope',
    'mastra',
    'agno',
    'agentcore',
    'chatkit',
    'adk',
    'eve',
    'cloudflare-agents',
    'openai-assistants',
    'dify',
    'flowise',
    'n8n',
    'langflow',
    'coze',
  ],
  Generic: ['text', 'json'],
} as const;
export type ProtocolName = (typeof PROTOCOL_GROUPS)[keyof typeof PROTOCOL_GROUPS][number];
export const PROTOCOLS: readonly ProtocolName[] = Object.values(PROTOCOL_GROUPS).flat();

/** Protocols whose reply is not the response to the message: it comes by another request or over a socket. */
export const WITH_CONNECTION: ReadonlySet<ProtocolName> = new Set(['eve', 'cloudflare-agents']);

/** Protocols that transmit the page's tools. */
export const WITH_TOOLS: ReadonlySet<ProtocolName> = new Set([
  'message-field',
  'deepchat-core',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'gemini-interactions',
  'ollama',
  'cohere',
  'ai-sdk',
  'ai-sdk-v4',
  'assistant-transport',
  'ag-ui',
  'agentscope',
  'cloudflare-agents',
  'openai-assistants',
]);

/** Paths that clients extend, or that identify the protocol, so that the first request includes the page's tools. */
const PATHS: Partial<Record<ProtocolName, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-assistants': '/v1/threads/runs',
  chatkit: '/chatkit',
  mastra: '/api/agents/clerk/stream',
  agno: '/agents/clerk/runs',
  'gemini-interactions': '/v1beta/interactions',
  adk: '/run_sse',
  eve: '/eve/v1/session',
  'cloudflare-agents': '/agents/clerk/counter',
};
export const addressOf = (protocol: ProtocolName): string => `/agent/${protocol}${PATHS[protocol] ?? ''}`;

/** Simulated faults, with their effect as seen by the client. */
export const FAULTS = {
  html: 'A web page with 200',
  '401': '401, not signed in',
  '403': '403, not allowed',
  '429': '429, ask again later',
  '500': '500, server error',
  empty: 'Empty answer with 200',
  drop: 'Connection lost midway',
  cut: 'Ends without its end mark',
  malformed: 'One broken frame',
  stall: 'Stops sending midway',
  redirect: '307, moved elsewhere',
} as const;
export type FaultName = keyof typeof FAULTS;

export interface Choice {
  readonly title: string;
  /** The question that starts the scenario. */
  readonly ask: string;
  /** Keywords that select the scenario when none is named. */
  readonly words: readonly string[];
  /** The protocol that supports all of it. */
  readonly best: ProtocolName;
}

export const SCENARIOS = {
  answer: {
    title: 'A long answer',
    ask: 'Why did our refund rate go up in March?',
    words: ['refund rate', 'march', 'numbers'],
    best: 'agent-session',
  },
  citations: {
    title: 'Cited messages',
    ask: 'What did the warehouse say about the Trail 40 buckle?',
    words: ['buckle', 'warehouse', 'who said'],
    best: 'agent-phase',
  },
  permission: {
    title: 'Asks permission',
    ask: 'Please refund order NW-48213.',
    words: ['nw-48213', 'refund order', 'permission'],
    best: 'deepchat-events',
  },
  'rate-limit': {
    title: 'Rate limit',
    ask: 'Reconcile this week’s payouts.',
    words: ['payout', 'reconcile', 'rate limit'],
    best: 'deepchat-events',
  },
  'tool-limit': {
    title: 'Many tool calls',
    ask: 'Check every invoice of April for a wrong tax rate.',
    words: ['invoice', 'tax', 'tool limit'],
    best: 'deepchat-events',
  },
  agents: {
    title: 'Three agents',
    ask: 'Draft a reply to the Alder Hut complaint together.',
    words: ['complaint', 'together', 'agents'],
    best: 'agentscope-msg',
  },
  'failing-tool': {
    title: 'A tool fails',
    ask: 'Post the refund summary to the finance channel.',
    words: ['finance channel', 'post', 'slack'],
    best: 'agent-session',
  },
  error: {
    title: 'An error midway',
    ask: 'Export the ledger of 2025.',
    words: ['export', 'ledger', 'error'],
    best: 'agent-session',
  },
  refused: {
    title: 'A refusal',
    ask: 'Close the books of May.',
    words: ['close the books', 'month', 'refuse'],
    best: 'agent-session',
  },
  suggestions: {
    title: 'Follow-up questions',
    ask: 'Can a customer return a tent that was used once?',
    words: ['return', 'policy', 'suggest'],
    best: 'message-field',
  },
  surface: {
    title: 'A form of the agent’s (A2UI)',
    ask: 'Find us a table for the team dinner.',
    words: ['table for', 'dinner', 'form', 'a2ui'],
    best: 'deepchat-events',
  },
  'page-tools': {
    title: 'Tools of this page',
    ask: 'Give this page a forest green accent.',
    words: ['accent', 'this page', 'green'],
    best: 'openai-chat',
  },
  formulas: {
    title: 'Formulas',
    ask: 'How many tents should we order at once?',
    words: ['how many', 'formula', 'math'],
    best: 'message-field',
  },
  chinese: {
    title: '中文回答',
    ask: '三月份的退款率为什么上升了？',
    words: ['退款', '订单', '三月'],
    best: 'agent-session',
  },
  hello: {
    title: 'A short greeting',
    ask: 'Hello, what can you do?',
    words: ['hello', 'help', 'what can you'],
    best: 'message-field',
  },
} as const satisfies Readonly<Record<string, Choice>>;
export type ScenarioName = keyof typeof SCENARIOS;

/** Milliseconds between two chunks of text. */
export const DEFAULT_CHUNK_DELAY_MS = 20;
export const MAX_CHUNK_DELAY_MS = 500;

/** In-page agents run without a server. */
export const IN_PAGE = 'in-page';

export const isOneOf = <Name extends string>(names: readonly Name[], value: string | null): value is Name =>
  value !== null && (names as readonly string[]).includes(value);

export const scenarioNames = Object.keys(SCENARIOS) as readonly ScenarioName[];
export const faultNames = Object.keys(FAULTS) as readonly FaultName[];

/** The scenario that matches the user's text, if any. */
export function scenarioOf(text: string): ScenarioName | undefined {
  const normalized = text.trim().toLowerCase();
  const exact = scenarioNames.find((name) => SCENARIOS[name].ask.toLowerCase() === normalized);
  return exact ?? scenarioNames.find((name) => SCENARIOS[name].words.some((word) => normalized.includes(word)));
}
