/** The recorded streams beside the adapters' tests. A browser can't list a folder, so here they are. */
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
} as const satisfies Record<string, readonly string[]>;

export type Protocol = keyof typeof recordings;

/** The bytes of a recording and what it is to give. */
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
