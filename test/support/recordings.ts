/** The recorded streams beside the adapters' tests. A browser can't list a folder, so they are listed here. */
export const recordings = {
  'deepchat-events': [
    'agent-every-field.sse',
    'agent-tool-states.ndjson',
    'agent-permission-open.sse',
    'agent-user-stop.sse',
    'agent-error-then-end.sse',
    'agent-cut-short.sse',
    'core-every-event.sse',
    'core-tool-use.ndjson',
    'core-stop-reason-new.sse',
  ],
  'message-field': [
    'lines-without-blanks.sse',
    'parallel-tools.sse',
    'result-replaces-text.sse',
    'thinking-message.sse',
    'thoughts-and-suggestions.sse',
    'hostile-paths.sse',
    'cut-short.sse',
  ],
  'agent-phase': [
    'whole-reply.ndjson',
    'tool-fails.ndjson',
    'extensions.ndjson',
    'crlf-without-phase-changes.ndjson',
    'recoverable-error.ndjson',
    'old-lines.ndjson',
  ],
  'agent-session': [
    'whole-reply.sse',
    'disorder-and-repetition.sse',
    'formats-and-data-types.sse',
    'legacy-names.sse',
    'final-answer-goes-on.sse',
    'cancelled.sse',
    'session-error.sse',
    'crlf-event-names.sse',
  ],
  agno: ['team-with-member.sse', 'paused-for-confirmation.sse'],
  adk: [
    'streamed-with-tool.sse',
    'run-whole.json',
    'vertex-agent-engine.ndjson',
    'transfer.sse',
    'devtools-confirmation.sse',
  ],
  'agentscope-msg': [
    'snapshots.sse',
    'tool-call.sse',
    'tool-error-other-keys.sse',
    'roles-and-media.ndjson',
    'three-agents.sse',
  ],
  'openai-responses': ['max-output-tokens.sse'],
  'openai-chat': ['error-mid-stream.sse', 'openrouter-picture.sse', 'think-tags.sse', 'citations.sse'],
  gemini: ['grounded-picture.sse', 'prompt-blocked.sse'],
  'gemini-interactions': ['searched-answer.sse'],
  ollama: ['chat.ndjson', 'error-mid-stream.ndjson', 'thinking-then-call.ndjson', 'generate.ndjson'],
  anthropic: ['max-tokens-cuts-tool-json.sse', 'overloaded-error-mid-stream.sse'],
  dify: ['agent-thoughts.sse', 'chatflow.sse'],
  flowise: ['sources-and-tools.sse'],
  n8n: ['two-nodes.ndjson'],
  langflow: ['tokens.ndjson'],
  rasa: ['picture-and-buttons.json'],
  cohere: ['cited-answer.sse'],
  'ai-sdk': ['two-steps.sse', 'sdk-5.sse', 'sdk-7-steering.sse'],
  'ai-sdk-v4': ['two-steps.txt'],
  'cloudflare-agents': [
    'tool-and-text.ndjson',
    'reply.ndjson',
    'next-turn.ndjson',
    'tool.ndjson',
    'tool-fails.ndjson',
    'approval.ndjson',
    'page-tool.ndjson',
    'stopped.ndjson',
    'model-fails.ndjson',
  ],
  eve: [
    'tool-and-text.ndjson',
    'reply.ndjson',
    'next-turn.ndjson',
    'tool.ndjson',
    'tool-fails.ndjson',
    'approval.ndjson',
    'question.ndjson',
    'stopped-then-next.ndjson',
    'model-fails.ndjson',
  ],
} as const satisfies Record<string, readonly string[]>;

export type Protocol = keyof typeof recordings;

/** The bytes of a recording and its expected result. */
export async function readRecording(
  protocol: Protocol,
  name: string,
): Promise<{ readonly body: Uint8Array; readonly expected: unknown }> {
  const url = new URL(`../protocols/${protocol}/${name}`, import.meta.url);
  const [body, expected] = await Promise.all([
    fetch(url).then((response) => response.arrayBuffer()),
    fetch(url.href.replace(/\.[a-z]+$/, '.expect.json')).then((response) => response.json() as Promise<unknown>),
  ]);
  return { body: new Uint8Array(body), expected };
}
