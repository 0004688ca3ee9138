import { defineOnce } from '../define-once.ts';
import { AgentChatImage } from './image.ts';

defineOnce('agent-chat-image', AgentChatImage);
