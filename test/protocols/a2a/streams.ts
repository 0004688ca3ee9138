/** Short forms of A2A responses: `old` is 0.3, `rpc` and `http` are the two bindings of 1.0. */
import { sse } from '../../support/play-body.ts';

type Json = Readonly<Record<string, unknown>>;

export const rpc = (result: Json): Json => ({ jsonrpc: '2.0', id: 1, result });
export const version03 = (kind: string, fields: Json): Json => rpc({ kind, ...fields });

const ids = { taskId: 'T', contextId: 'C' };
export const textParts = (...texts: readonly string[]): readonly Json[] => texts.map((text) => ({ text }));
export const agentMessage = (messageId: string, text: string, more: Json = {}): Json => ({
  messageId,
  role: 'ROLE_AGENT',
  parts: textParts(text),
  ...more,
});
export const task = (state: string, more: Json = {}): Json =>
  rpc({ task: { id: 'T', contextId: 'C', status: { state: `TASK_STATE_${state}` }, ...more } });
export const status = (state: string, message?: Json): Json =>
  rpc({ statusUpdate: { ...ids, status: { state: `TASK_STATE_${state}`, ...(message && { message }) } } });
export const artifact = (artifactId: string, parts: readonly Json[], more: Json = {}): Json =>
  rpc({ artifactUpdate: { ...ids, artifact: { artifactId, parts }, ...more } });
export const stream = sse;

/** The metadata of a reply. */
export const replyMetadata = (taskState: string, more: Json = {}): Json => ({
  version: '1.0',
  contextId: 'C',
  taskId: 'T',
  taskState,
  ...more,
});
