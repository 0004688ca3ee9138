/** Compares the messages to a page agent and its responses with the message types that it declares. */
import type { MessageType, ResponseType } from '../model/agent-message.ts';
import type { BaseAgent } from '../model/agent.ts';

/** The message types that include a response. Errors, questions, progress and results of commands have none. */
const messageTypes: ReadonlyMap<ResponseType, readonly MessageType[]> = new Map<ResponseType, readonly MessageType[]>([
  ['text', ['text']],
  ['code', ['code']],
  ['data', ['data', 'structured_data']],
  ['file', ['file']],
  ['image', ['image']],
]);

/** The warnings that were already printed. A page may create its agents again, so agents are known by their id. */
const warnings = new Set<string>();

/** Returns a function that warns once about each response type that the agent does not declare. */
export function checkResponseTypes(agent: BaseAgent): (type: ResponseType) => void {
  const declared = declaredTypes(agent);
  return (type) => {
    const expected = messageTypes.get(type);
    if (!declared || !expected || expected.some((name) => declared.has(name))) return;
    warnOnce(`The agent "${agent.id}" answers with "${type}", which its getSupportedMessageTypes() does not list.`);
  };
}

/** Warns once about each type of message that the agent gets and does not declare. It gets the message all the same. */
export function checkMessageType(agent: BaseAgent, type: MessageType): void {
  if (declaredTypes(agent)?.has(type) === false)
    warnOnce(`The agent "${agent.id}" gets "${type}", which its getSupportedMessageTypes() does not list.`);
}

function warnOnce(text: string): void {
  if (warnings.has(text)) return;
  warnings.add(text);
  console.warn(`<agent-chat>: ${text}`);
}

/** An agent that is not written in TypeScript may lack the method, and a placeholder of it may throw. */
function declaredTypes(agent: BaseAgent): ReadonlySet<MessageType> | undefined {
  try {
    return new Set(agent.getSupportedMessageTypes());
  } catch {
    return undefined;
  }
}
