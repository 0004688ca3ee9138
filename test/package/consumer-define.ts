/** What a page writes that has nothing but the tag: its element and its events are known. */
import 'agent-chat-element/define';

const chat = document.createElement('agent-chat');
chat.endpoint = '/api/agent';
chat.addEventListener('agent-chat-error', ({ detail }) => {
  console.warn(detail.kind);
});
document.querySelector('agent-chat')?.show();
