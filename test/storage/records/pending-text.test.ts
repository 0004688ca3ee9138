import { expect } from '@open-wc/testing';
import { completeMessage } from '../../../src/runtime/chat/user-message.ts';
import type { PersistenceSettings } from '../../../src/storage/settings/storage-settings.ts';
import { PendingTextNotes } from '../../../src/storage/records/pending-text.ts';

const settings =
  (change: Partial<PersistenceSettings> = {}) =>
  (): PersistenceSettings => ({
    persist: 'session',
    endpoint: '/waiting',
    storage: undefined,
    threadId: undefined,
    redact: undefined,
    ...change,
  });
const message = (text: string) => completeMessage({ role: 'user', text, status: 'sending' });
const storedNotes = (): readonly string[] =>
  Object.entries(sessionStorage)
    .filter(([key]) => key.includes('/waiting') && key.includes(' waiting '))
    .map(([, value]) => String((JSON.parse(String(value)) as { value: unknown }).value));

describe('PendingTextNotes', () => {
  afterEach(() => {
    for (const key of Object.keys(sessionStorage)) if (key.includes('/waiting')) sessionStorage.removeItem(key);
  });

  it('are written synchronously, and removed when nothing is pending', () => {
    const notes = new PendingTextNotes();
    const [first, second] = [message('One'), message('Two')];
    notes.update([first, second], settings());
    expect(storedNotes()).to.have.members(['One', 'Two']);
    notes.update([second], settings());
    expect(storedNotes()).to.deep.equal(['Two']);
    // The user has changed: the note of the previous user is removed as well.
    notes.update([], settings({ storage: { user: 'B' } }));
    expect(storedNotes()).to.deep.equal([]);
  });

  it('are not written when nothing is stored', () => {
    new PendingTextNotes().update([message('One')], settings({ persist: 'none' }));
    expect(storedNotes()).to.deep.equal([]);
  });

  it('mask keys, and apply `redact`', () => {
    const notes = new PendingTextNotes();
    notes.update(
      [message('Card 4111, sk-abcdefghijklmnop')],
      settings({ redact: (text) => text.replace('4111', '…') }),
    );
    expect(storedNotes()).to.deep.equal(['Card …, ***']);
  });

  it('rule 121: are not written for a press in a surface, whose text is built from what the user has entered', () => {
    const press = completeMessage({
      role: 'user',
      text: 'Pay\nTotal: 4,111',
      status: 'sending',
      metadata: { data: { surfaceId: 's', context: { total: '4,111' } } },
    });
    new PendingTextNotes().update([press], settings({ redact: (text) => text.replace('4111', '…') }));
    expect(storedNotes()).to.deep.equal([]);
    new PendingTextNotes().update([press], settings());
    expect(storedNotes()).to.deep.equal(['Pay\nTotal: 4,111']);
  });

  it('are empty where `redact` throws or returns no text', () => {
    for (const redact of [
      () => {
        throw new Error('No');
      },
      () => undefined as unknown as string,
    ]) {
      new PendingTextNotes().update([message('One')], settings({ redact }));
      expect(storedNotes()).to.deep.equal([]);
    }
  });
});
