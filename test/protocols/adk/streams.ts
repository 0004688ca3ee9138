import { sse } from '../../support/play-body.ts';

type Json = Readonly<Record<string, unknown>>;

/** An event of a run. */
export const event = (parts: readonly Json[] | undefined, more: Json = {}): Json => ({
  ...(parts && { content: { role: 'model', parts } }),
  invocationId: 'e-1',
  author: 'agent',
  id: 'x',
  ...more,
  actions: { stateDelta: {}, artifactDelta: {}, ...(more['actions'] as Json | undefined) },
});
export const piece = (text: string, more: Json = {}): Json => event([{ text }], { partial: true, ...more });
export const call = (id: string, name: string, args: Json = {}, more: Json = {}): Json =>
  event([{ functionCall: { id, name, args } }], more);
export const result = (id: string, name: string, response: Json, more: Json = {}): Json =>
  event([{ functionResponse: { id, name, response } }], more);
export const confirmation = (id: string, original: Json, hint = 'Delete it?', payload?: Json): Json =>
  call(
    id,
    'adk_request_confirmation',
    { originalFunctionCall: original, toolConfirmation: { hint, confirmed: false, ...(payload && { payload }) } },
    { longRunningToolIds: [id] },
  );
export const run = (...events: readonly Json[]): string => sse(...events);
