import '../../locales/english/all-english.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatInspector } from './inspector.ts';

defineOnce('agent-chat-inspector', AgentChatInspector);

/** Creates the inspector element for the widget. */
export function createInspector(): AgentChatInspector {
  const inspector = document.createElement('agent-chat-inspector');
  inspector.setAttribute('part', 'inspector');
  return inspector;
}
