import type { StorageSettings } from '../stores/conversation-store.ts';

/** Identifies the user in a page's settings. */
export const userOf = ({ user = '', key = '' }: StorageSettings = {}): string => JSON.stringify([user, key]);
