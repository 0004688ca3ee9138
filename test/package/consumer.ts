/** What a page with a bundler writes: the test of the package compiles it against what would be published, in each way to resolve. */
import { AgentChatSendEvent, ChatError, type AgentChat, type ChatMessage, type Limits } from 'agent-chat-element';
import 'agent-chat-element/embed';
import { define } from 'agent-chat-element/define';
import { AgentChatMarkdown } from 'agent-chat-element/markdown';
import type { AssistantMessageBlock } from 'agent-chat-element/model';
import { defineProtocol } from 'agent-chat-element/protocols';
import { defineRenderer } from 'agent-chat-element/renderers';
import { replay } from 'agent-chat-element/testing';

define('support-chat');

const chat: AgentChat = document.createElement('agent-chat');
chat.mode = 'floating';
// @ts-expect-error: not one of the modes
chat.mode = 'flying';
chat.headers = async () => Promise.resolve({ authorization: 'Bearer t' });
chat.limits = { inputLength: 500 } satisfies Partial<Limits>;
chat.tools = [{ name: 'now', description: 'The time', parameters: { type: 'object' }, execute: () => Date.now() }];

document.addEventListener('agent-chat-send', (event) => {
  const message: ChatMessage = event.detail.message;
  if (event instanceof AgentChatSendEvent && message.blocks.length === 0) event.preventDefault();
});
chat.addEventListener('agent-chat-error', ({ detail }) => {
  // @ts-expect-error: not one of the kinds
  if (detail.kind === 'weather') chat.stop();
});

const reply: Promise<ChatMessage> = chat.send('Hello');
void reply.catch((error: unknown) => {
  if (error instanceof ChatError) console.warn(error.kind);
});

const textOf = (block: AssistantMessageBlock): string => (block.type === 'content' ? block.content : '');
chat.renderers.register(
  defineRenderer({
    type: 'tool_call',
    getProps: (block) => ({ name: block.tool_call.name ?? '' }),
    component: ({ name }) => document.createTextNode(name),
  }),
);

const text = document.querySelector('agent-chat-markdown');
if (text instanceof AgentChatMarkdown) text.write('**bold**');

export { defineProtocol, replay, textOf };
