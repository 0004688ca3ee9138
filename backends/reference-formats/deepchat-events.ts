/**
 * Events of an agent, with a permission during which the stream stays open. Format:
 * `docs/protocols/deepchat-events.md`.
 */
import { randomUUID } from 'node:crypto';
import { isRecord, pause, chunksOf } from './body.ts';

/** Streams that wait for a decision, by the id of their call. */
const waiting = new Map<string, (granted: boolean) => void>();

/** @returns whether a stream was waiting for it */
export function decide(permissions: unknown): boolean {
  const decisions = Array.isArray(permissions) ? permissions.filter(isRecord) : [];
  const settlers = decisions.flatMap(({ tool_call_id: id, decision }) => {
    const settle = typeof id === 'string' ? waiting.get(id) : undefined;
    return settle ? [() => settle(decision === 'granted')] : [];
  });
  for (const settle of settlers) settle();
  return settlers.length > 0;
}

/** Maximum time to wait for a decision (ms). */
const DECISION_TIMEOUT_MS = 120_000;

async function decisionOf(id: string): Promise<boolean> {
  const decision = new Promise<boolean>((resolve) => waiting.set(id, resolve));
  const timer = setTimeout(() => waiting.get(id)?.(false), DECISION_TIMEOUT_MS);
  const granted = await decision;
  clearTimeout(timer);
  waiting.delete(id);
  return granted;
}

export async function* deepchatEvents(): AsyncGenerator<string> {
  const eventId = randomUUID();
  const id = `call_${eventId}`;
  const send = (type: 'response' | 'error' | 'end', data: object): string =>
    `data: ${JSON.stringify({ type, data: { eventId, ...data } })}\n\n`;
  const respond = (data: object): string => send('response', data);

  yield respond({ reasoning_content: 'The letter is written. Sending it needs a yes.' });
  const server = {
    tool_call_server_name: 'post',
    tool_call_server_icons: '✉️',
    tool_call_server_description: 'Letters',
  };
  yield respond({
    tool_call: 'start',
    tool_call_id: id,
    tool_call_name: 'send_letter',
    tool_call_params: '',
    ...server,
  });
  yield respond({ tool_call: 'update', tool_call_id: id, tool_call_params: '{"to":"Harbour office"}' });
  const permission_request = {
    toolName: 'send_letter',
    serverName: 'post',
    permissionType: 'write',
    description: 'Sends it',
  };
  yield respond({ tool_call: 'permission-required', tool_call_id: id, permission_request });
  const granted = await decisionOf(id);
  await pause();
  yield respond(
    granted
      ? { tool_call: 'end', tool_call_id: id, tool_call_response: [{ type: 'text', text: 'Sent at 9:40' }] }
      : { tool_call: 'error', tool_call_id: id, tool_call_response: 'Not allowed' },
  );
  for (const content of chunksOf(granted ? 'The letter is **on its way**.' : 'Then the letter stays here.'))
    yield respond({ content });
  yield respond({ totalUsage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52, context_length: 8000 } });
  yield send('end', { userStop: false });
}
