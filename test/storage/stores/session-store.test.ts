import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { StoredThread } from '../../../src/storage/stores/conversation-store.ts';
import { SessionStore, type SessionStoreOptions } from '../../../src/storage/stores/session-store.ts';

const DAY = 86_400_000;
const message = (id: string, text: string): ChatMessage => ({
  id,
  role: 'user',
  status: 'complete',
  timestamp: 1,
  blocks: [{ id: `${id}.1`, type: 'content', status: 'success', timestamp: 1, content: text, format: 'text' }],
});
const thread = (
  id: string,
  updated: number,
  messages: readonly ChatMessage[] = [message('m', 'Hi')],
): StoredThread => ({
  version: 1,
  id,
  title: id,
  updated,
  messages,
});
const store = (options: Partial<SessionStoreOptions> = {}): SessionStore =>
  new SessionStore({ scope: 'ann', now: () => 0, ...options });

/** The number of characters written during an action. */
function written(act: () => void): number {
  const set = Object.getOwnPropertyDescriptor(Storage.prototype, 'setItem')?.value as Storage['setItem'];
  let sum = 0;
  Storage.prototype.setItem = function (key, value) {
    sum += value.length;
    set.call(this, key, value);
  };
  try {
    act();
  } finally {
    Storage.prototype.setItem = set;
  }
  return sum;
}

describe('SessionStore', () => {
  beforeEach(() => {
    sessionStorage.clear();
  });
  after(() => {
    sessionStorage.clear();
  });

  it('returns saved messages in their order, after changes in the middle and under any id', () => {
    for (const id of ['t', 'my chat', 'my', '"]', '']) {
      const writer = store();
      writer.save(thread(id, 1, [message('a', 'One'), message('b c', 'Two'), message('c', 'Three')]));
      const second = [message('a', 'One'), message('c', 'Other'), message('d', 'Four')];
      writer.save(thread(id, 2, second));
      expect(store().load(id)?.messages).to.deep.equal(second);
    }
    expect(store().list()).to.have.lengthOf(5);
  });

  it('writes a streaming reply without the messages before it, also after a reload', () => {
    const before = Array.from({ length: 2000 }, (_, index) => message(`m${String(index)}`, 'x'.repeat(600)));
    const writer = store();
    writer.save(thread('t', 1, before));
    expect(written(() => writer.save(thread('t', 2, [...before, message('r', 'Growing')])))).to.be.below(1000);
    const again = store();
    const loaded = again.load('t')?.messages ?? [];
    expect(loaded).to.have.lengthOf(2001);
    expect(
      written(() => again.save(thread('t', 3, [...loaded.slice(0, -1), message('r', 'Growing more')]))),
    ).to.be.below(1000);
  });

  it('reads a conversation stored as one record, and stores it as several', () => {
    const old = thread('t', 1, [message('a', 'One'), message('b', 'Two')]);
    sessionStorage.setItem('agent-chat ann thread t', JSON.stringify(old));
    const one = store();
    expect(one.load('t')).to.deep.equal(old);
    one.save({ ...old, messages: [...old.messages, message('c', 'Three')] });
    expect(store().load('t')?.messages).to.have.lengthOf(3);
    expect(sessionStorage.getItem('agent-chat ann thread t')).not.to.include('One');
  });

  it('deletes expired conversations and drafts by the current retention', () => {
    store({ retention: 30 }).save(thread('t', 0));
    store().save(thread('for good', 0));
    const later = store({ retention: 7, now: () => 8 * DAY });
    expect(later.load('t')).to.equal(undefined);
    expect(later.list()).to.deep.equal([]);
    expect(Object.keys(sessionStorage)).to.deep.equal([]);
  });

  it('keeps conversations of any age without a retention', () => {
    store().save(thread('t', 0));
    expect(store({ now: () => 10_000 * DAY }).load('t')).not.to.equal(undefined);
  });

  for (const what of ['remove', 'removeAll'] as const) {
    it(`stores nothing of a conversation that was deleted in the meantime: ${what}`, () => {
      const behind = store();
      const known = behind.deletions('t');
      expect(behind.save(thread('t', 1), known)).to.equal(true);
      store()[what]('t');
      expect(behind.save(thread('t', 2, [message('m', 'Secret')]), known)).to.equal(false);
      expect(behind.load('t')).to.equal(undefined);
      expect(JSON.stringify(Object.entries(sessionStorage))).not.to.include('Secret');
      const next = store();
      expect(next.save(thread('t', 3), next.deletions('t'))).to.equal(true);
    });
  }

  it('is unchanged when the quota is exceeded, at whichever record the write fails', () => {
    const old = [message('a', 'One'), message('b', 'Two')];
    const set = Object.getOwnPropertyDescriptor(Storage.prototype, 'setItem')?.value as Storage['setItem'];
    for (let room = 0; room < 4; room++) {
      sessionStorage.clear();
      const one = store();
      one.save(thread('t', 1, old));
      let left = room;
      Storage.prototype.setItem = function (key, value) {
        if (left-- <= 0) throw new DOMException('full', 'QuotaExceededError');
        set.call(this, key, value);
      };
      try {
        const next = thread('t', 2, [...old, message('c', 'Three'), message('d', 'Four'), message('e', 'Five')]);
        expect(() => one.save(next)).to.throw('full');
      } finally {
        Storage.prototype.setItem = set;
      }
      expect(store().load('t')).to.deep.equal(thread('t', 1, old));
    }
  });

  it('deletes older conversations when the session storage is full', () => {
    const large = (id: string, updated: number) => thread(id, updated, [message('m', 'x'.repeat(1_900_000))]);
    store().save(large('old', 1));
    store().save(large('newer', 2));
    store().save(large('newest', 3));
    expect(
      store()
        .list()
        .map(({ id }) => id),
    ).to.have.members(['newer', 'newest']);
  });

  describe('rule 110: leave space in the session storage for the page', () => {
    const large = (id: string, length: number) => thread(id, 1, [message('m', 'x'.repeat(length))]);
    const hasSpace = (): boolean => {
      try {
        sessionStorage.setItem('of-the-page', 'x'.repeat(500_000));
        return true;
      } catch {
        return false;
      }
    };
    const fill: readonly { readonly name: string; save(): unknown }[] = [
      { name: 'one conversation', save: () => store().save(large('t', 5_100_000)) },
      {
        name: 'several conversations',
        save: () => {
          for (let index = 0; index < 3; index++) store().save(large(`t${String(index)}`, 1_700_000));
        },
      },
      { name: 'the state of an agent', save: () => store().save({ ...large('t', 1), state: 'x'.repeat(5_100_000) }) },
    ];
    for (const { name, save } of fill)
      it(name, () => {
        try {
          save();
        } catch (error) {
          expect(error).to.include({ kind: 'storage', reason: 'storage-full' });
        }
        expect(hasSpace()).to.equal(true);
      });
  });
});
