/** Entry of the lazy chunk that stores conversations, with the texts of its errors. */
export { enStorage } from '../../locales/english/en-storage.ts';
export { ConversationManager } from '../../storage/conversation-manager.ts';
