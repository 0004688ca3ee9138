/** Compares the responses of a page agent with the message types that it declares. */
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
    const text = `The agent "${agent.id}" answers with "${type}", which its getSupportedMessageTypes() does not list.`;
    if (warnings.has(text)) return;
    warnings.add(text);
    console.warn(`<agent-chat>: ${text}`);
  };
}

/** An agent that is not written in TypeScript may lack the method, and a placeholder of it may throw. */
function declaredTypes(agent: BaseAgent): ReadonlySet<MessageType> | undefined {
  try {
    return new Set(agent.getSupportedMessageTypes());
  } catch {
    return undefined;
  }
}
