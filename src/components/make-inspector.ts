import { defineOnce } from '../primitives/define-once.ts';
import { AgentChatInspector } from './inspector.ts';

defineOnce('agent-chat-inspector', AgentChatInspector);

/** The inspector as the widget puts it into its own box. */
export function makeInspector(): AgentChatInspector {
  const inspector = document.createElement('agent-chat-inspector');
  inspector.setAttribute('part', 'inspector');
  return inspector;
}
