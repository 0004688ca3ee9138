/** Short forms of Dify's events, with the ids that all of them have. */
import { sse } from '../../support/play-body.ts';

const ids = { task_id: 't', message_id: 'm', conversation_id: 'c' };

/** An event of a chat. */
export const event = (name: string, fields: object = {}): object => ({ event: name, ...ids, ...fields });
/** An event of an app without a chat. */
export const flow = (name: string, data: object): object => ({
  event: name,
  task_id: 't',
  workflow_run_id: 'w',
  data,
});
export const say = (answer: string): object => event('message', { answer });
export const end = (metadata: object = {}): object => event('message_end', { metadata });
export const thought = (id: string, fields: object): object => event('agent_thought', { id, ...fields });
export const stream = (...events: readonly object[]): string => sse(...events);

/** The expected `metadata` of the reply. */
export const known = { messageId: 'm', conversationId: 'c', taskId: 't' };
export const flowKnown = { messageId: 'w', taskId: 't', workflowRunId: 'w' };
