/** The terms that the user has accepted. The record lasts as long as the conversations. */
import { storageScope } from '../settings/storage-scope.ts';
import type { Persist, StorageSettings } from '../stores/conversation-store.ts';
import { STORAGE_PREFIX } from '../stores/has-stored-data.ts';

/** The scope of the consent and where it is stored. */
export interface ConsentOptions {
  readonly persist: Persist;
  readonly endpoint: string | undefined;
  readonly storage: StorageSettings | undefined;
}

export const consentKey = ({ endpoint, storage }: ConsentOptions): string =>
  `${STORAGE_PREFIX}consent ${storageScope(endpoint, storage)}`;

/**
 * The terms accepted in this page: the only record with `none`, or if the browser blocks storage. Records contain the
 * text itself, because two different texts can have the same short hash, and `crypto.subtle` exists only over HTTPS.
 */
const pageConsents = new Map<string, string>();

/** The storage area of the record. */
const AREAS: Readonly<Record<Persist, (() => Storage) | undefined>> = {
  none: undefined,
  session: () => sessionStorage,
  local: () => localStorage,
};

export function readConsent(key: string): string | null | undefined {
  try {
    return pageConsents.get(key) ?? sessionStorage.getItem(key) ?? localStorage.getItem(key);
  } catch {
    return pageConsents.get(key);
  }
}

export function storeConsent(persist: Persist, key: string, text: string): void {
  try {
    const area = AREAS[persist]?.();
    area?.setItem(key, text);
    // What is stored is read from there: another tab may delete it.
    if (area) return;
  } catch {
    // Storage is blocked: the consent is valid until the page unloads.
  }
  pageConsents.set(key, text);
}

/** Removes the consent, so that the user is asked again. */
export function forgetConsent(options: ConsentOptions): void {
  const key = consentKey(options);
  pageConsents.delete(key);
  for (const area of [() => localStorage, () => sessionStorage]) {
    try {
      area().removeItem(key);
    } catch {
      // Storage may be blocked.
    }
  }
}
