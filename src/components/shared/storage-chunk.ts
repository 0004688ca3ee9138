/** Entry of the lazy chunk that stores conversations, with the texts of its errors. */
import { enStorage } from '../../locales/english/en-storage.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';

addEnglish(enStorage);

export { ConversationManager } from '../../storage/conversation-manager.ts';
