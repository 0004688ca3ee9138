import { expect } from '@open-wc/testing';
import { deleteDB, openDB } from 'idb';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { StoredThread } from '../../../src/storage/stores/conversation-store.ts';
import { openDatabase, type Database, type Migration } from '../../../src/storage/stores/indexeddb-schema.ts';
import { IndexedDbStore, type IndexedDbStoreOptions } from '../../../src/storage/stores/indexeddb-store.ts';

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

/** As browsers fail when the quota is exceeded, which a test can’t lower. */
async function inFullStorage<Result>(act: () => Promise<Result>): Promise<Result> {
  const { put } = IDBObjectStore.prototype;
  const full = { get: () => new DOMException('full', 'QuotaExceededError') };
  IDBObjectStore.prototype.put = function (...record) {
    const request = put.apply(this, record);
    Object.defineProperty(this.transaction, 'error', full);
    this.transaction.abort();
    return request;
  };
  try {
    return await act();
  } finally {
    IDBObjectStore.prototype.put = put;
  }
}

describe('IndexedDbStore', () => {
  let name = '';
  let made: IndexedDbStore[] = [];
  const store = (options: Partial<IndexedDbStoreOptions> = {}): IndexedDbStore => {
    const one = new IndexedDbStore({
      scope: 'ann',
      retention: 30,
      now: () => 0,
      open: (given) => openDatabase({ ...given, name }),
      ...options,
    });
    made.push(one);
    return one;
  };
  beforeEach(() => {
    name = `test ${String(Math.random())}`;
    made = [];
  });
  afterEach(async () => {
    for (const one of made) one.close();
    await deleteDB(name);
  });

  it('returns saved messages in their order, after changes in the middle', async () => {
    const first = [message('a', 'One'), message('b', 'Two'), message('c', 'Three')];
    const writer = store();
    await writer.save(thread('t', 1, first));
    const second = [first[0], message('b', 'Other'), message('d', 'Four')].filter((one) => one !== undefined);
    await writer.save(thread('t', 2, second));
    expect((await store().load('t'))?.messages).to.deep.equal(second);
  });

  it('shows a user nothing of another user', async () => {
    await store().save(thread('t', 1));
    const other = store({ scope: 'bob' });
    expect(await other.list()).to.deep.equal([]);
    expect(await other.load('t')).to.equal(undefined);
    await other.removeAll();
    expect(await store().load('t')).not.to.equal(undefined);
  });

  it('deletes conversations past their retention, also of users who never return', async () => {
    await store({ scope: 'gone' }).save(thread('t', 0));
    await store().save(thread('old', 0));
    await store().save(thread('new', 20 * DAY));
    const later = store({ now: () => 31 * DAY });
    expect((await later.list()).map(({ id }) => id)).to.deep.equal(['new']);
    expect(await store({ scope: 'gone', now: () => 31 * DAY }).load('t')).to.equal(undefined);
  });

  it('deletes the oldest conversations above the size limit', async () => {
    const writer = store({ limit: 1000 });
    const long = (id: string) => [message(id, 'x'.repeat(300))];
    for (const [index, id] of ['a', 'b', 'c'].entries()) await writer.save(thread(id, index, long(id)));
    expect((await writer.list()).map(({ id }) => id)).to.deep.equal(['b', 'c']);
  });

  it('rule 110: the state of an agent counts towards the size limit', async () => {
    const writer = store({ limit: 1000 });
    for (const [index, id] of ['a', 'b', 'c'].entries())
      await writer.save({ ...thread(id, index), state: { text: 'x'.repeat(300) } });
    expect((await writer.list()).map(({ id }) => id)).to.deep.equal(['b', 'c']);
    const error: unknown = await writer
      .save({ ...thread('d', 4), state: 'x'.repeat(1000) })
      .catch((cause: unknown) => cause);
    expect(error).to.include({ kind: 'storage', reason: 'storage-full' });
  });

  it('reports a single conversation above the size limit', async () => {
    const error: unknown = await store({ limit: 100 })
      .save(thread('t', 1))
      .catch((cause: unknown) => cause);
    expect(error).to.include({ kind: 'storage', reason: 'storage-full' });
  });

  it('stores notes, renames conversations, and removes them with their notes', async () => {
    const one = store();
    await one.save(thread('t', 1));
    await one.setNote('draft t', 'Half a sen');
    await one.rename('t', 'Another name');
    expect((await one.list())[0]?.title).to.equal('Another name');
    expect(await one.note('draft t')).to.equal('Half a sen');
    await one.remove('t');
    expect([await one.load('t'), await one.note('draft t')]).to.deep.equal([undefined, undefined]);
  });

  /** All records of the database, by object store. */
  const records = async (): Promise<Readonly<Record<'threads' | 'messages' | 'notes', readonly unknown[]>>> => {
    const database = await openDatabase({ name });
    const [threads, messages, notes] = await Promise.all([
      database.getAll('threads'),
      database.getAll('messages'),
      database.getAll('notes'),
    ]);
    database.close();
    return { threads, messages, notes };
  };
  /** A store that records which messages it writes. */
  const counting = (options: Partial<IndexedDbStoreOptions> = {}) => {
    const written: string[] = [];
    const watch = (database: Database): Database =>
      new Proxy(database, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          if (key !== 'transaction') return (value as () => unknown).bind(target);
          return (...given: Parameters<Database['transaction']>) => {
            const transaction = target.transaction(...given);
            const table = transaction.objectStore('messages');
            const put = table.put?.bind(table);
            if (put) {
              Object.assign(table, {
                put: (row: { readonly id: string }) => {
                  written.push(row.id);
                  return put(row as never);
                },
              });
              return new Proxy(transaction, {
                get: (inner, field) => {
                  if (field === 'objectStore') {
                    return (one: string) => (one === 'messages' ? table : inner.objectStore(one as 'messages'));
                  }
                  const member: unknown = Reflect.get(inner, field);
                  return typeof member === 'function' ? (member as () => unknown).bind(inner) : member;
                },
              });
            }
            return transaction;
          };
        },
      });
    const one = store({ ...options, open: async (given) => watch(await openDatabase({ ...given, name })) });
    return { one, written };
  };

  it('writes only changed messages after a reload, whatever the order of the fields is', async () => {
    const messages = Array.from({ length: 50 }, (_, index) => message(`m${String(index)}`, 'Text'));
    await store().save(thread('t', 1, messages));
    const { one, written } = counting();
    const loaded = (await one.load('t'))?.messages ?? [];
    const turned = loaded.map(({ blocks, ...rest }) => ({ blocks: blocks.map((block) => ({ ...block })), ...rest }));
    await one.save(thread('t', 2, [...turned, message('new', 'More')]));
    expect(written).to.deep.equal(['new']);
    await one.save(thread('t', 3, [...turned, message('new', 'More words')]));
    expect(written).to.deep.equal(['new', 'new']);
  });

  it('keeps messages stored by another tab, and deletes messages removed in this one', async () => {
    const one = store();
    const other = store();
    await one.save(thread('t', 1, [message('a', 'One'), message('b', 'Two')]));
    const loaded = (await other.load('t'))?.messages ?? [];
    await other.save(thread('t', 2, [...loaded, message('c', 'Three')]));
    one.addSeenMessages('t', ['d']);
    await other.save(thread('t', 3, [...loaded, message('c', 'Three'), message('d', 'Four')]));
    await one.save(thread('t', 4, [message('a', 'One')]));
    expect((await store().load('t'))?.messages.map(({ id }) => id)).to.have.members(['a', 'c']);
  });

  describe('deletions', () => {
    const acts: readonly { name: string; act: (store: IndexedDbStore) => Promise<void> }[] = [
      { name: 'one conversation', act: (one) => one.remove('t') },
      { name: 'everything', act: (one) => one.removeAll() },
    ];
    for (const { name: what, act } of acts) {
      it(`of ${what}: a tab that missed the deletion stores nothing of it, whatever its clock says`, async () => {
        const behind = store({ now: () => 10 * DAY });
        const known = await behind.deletions('t');
        expect(await behind.save(thread('t', 10 * DAY), known)).to.equal(true);
        await act(store());
        expect(await behind.save(thread('t', 10 * DAY, [message('m', 'Secret')]), known)).to.equal(false);
        expect(await behind.load('t')).to.equal(undefined);
        expect(JSON.stringify(await records())).not.to.match(/Secret|Hi|\bann\b/);
      });

      it(`of ${what}: a new conversation under the same id is stored`, async () => {
        await store().save(thread('t', 1));
        await act(store());
        const one = store();
        expect(await one.save(thread('t', 2), await one.deletions('t'))).to.equal(true);
        expect((await store().load('t'))?.updated).to.equal(2);
      });
    }

    for (const [what, remove] of Object.entries({
      'a conversation': (one: IndexedDbStore) => one.remove('t'),
      'all conversations': (one: IndexedDbStore) => one.removeAll(),
    }))
      it(`of ${what} succeed in a full storage, where their mark has no space`, async () => {
        const one = store();
        await one.save(thread('t', 1));
        await one.setNote('draft t', 'Words');
        await inFullStorage(() => remove(one));
        expect(await records()).to.deep.equal({ threads: [], messages: [], notes: [] });
      });

    it('of a permission: a revoked one is not stored any longer, also in a full storage', async () => {
      const one = store();
      await one.setNote('approvals', ['kept', 'revoked']);
      await one.setNote('draft t', 'Words');
      const errors = await inFullStorage(() =>
        Promise.all(['approvals', 'draft t'].map((note) => one.setNote(note, ['kept']).catch(String))),
      );
      expect(errors.filter((error) => error !== undefined)).to.have.lengthOf(2);
      expect([await one.note('approvals'), await one.note('draft t')]).to.deep.equal([undefined, 'Words']);
    });

    it('are undone when the conversation is put back', async () => {
      const one = store();
      const known = await one.deletions('t');
      await one.save(thread('t', 1), known);
      const removed = await one.load('t');
      await one.remove('t');
      if (removed) await one.putBack(removed);
      expect(await one.save(thread('t', 2), known)).to.equal(true);
    });

    it('are remembered for 90 days', async () => {
      await store().remove('t');
      expect(await store({ now: () => 89 * DAY }).list()).to.deep.equal([]);
      expect((await records()).notes).to.have.lengthOf(1);
      await store({ now: () => 91 * DAY }).list();
      expect((await records()).notes).to.have.lengthOf(0);
    });
  });

  describe('retention', () => {
    it('deletes an expired conversation when it is opened by its id, and its messages do not return with the next turn', async () => {
      await store().save(thread('t', 0, [message('old', 'Old words')]));
      await store().setNote('draft t', 'Old draft');
      const later = store({ now: () => 31 * DAY });
      expect(await later.load('t')).to.equal(undefined);
      expect(JSON.stringify(await records())).not.to.match(/Old/);
      await later.save(thread('t', 31 * DAY, [message('new', 'New')]));
      expect((await later.load('t'))?.messages.map(({ id }) => id)).to.deep.equal(['new']);
    });

    it('messages left over by an older version do not return with a new turn', async () => {
      await store().save(thread('t', 0, [message('old', 'Old words')]));
      const database = await openDatabase({ name });
      await database.delete('threads', ['ann', 't']);
      database.close();
      const one = store();
      await one.save(thread('t', 1, [message('new', 'New')]));
      expect((await one.load('t'))?.messages.map(({ id }) => id)).to.deep.equal(['new']);
    });

    it('uses the current setting: a lower one deletes immediately, a higher one keeps', async () => {
      await store({ retention: 30 }).save(thread('t', 0));
      expect(await store({ retention: 60, now: () => 40 * DAY }).load('t')).not.to.equal(undefined);
      expect(await store({ retention: 7, now: () => 8 * DAY }).list()).to.deep.equal([]);
      expect((await records()).messages).to.deep.equal([]);
    });

    it('covers drafts and unsent answers of conversations that were never sent', async () => {
      await store().setNote('draft t', 'Words');
      await store().setNote('answers t', { block: 'Words' });
      await store().setNote('approvals', ['kept']);
      const later = store({ now: () => 31 * DAY });
      expect([await later.note('draft t'), await later.note('answers t')]).to.deep.equal([undefined, undefined]);
      await later.deleteExpired();
      expect((await records()).notes).to.have.lengthOf(1);
      expect(await later.note('approvals')).to.deep.equal(['kept']);
    });

    it('starts now for a draft that was stored without a time', async () => {
      const database = await openDatabase({ name });
      await database.put('notes', { scope: 'ann', name: 'draft t', value: 'Words' });
      database.close();
      const one = store({ now: () => 100 * DAY });
      expect(await one.note('draft t')).to.equal('Words');
      await one.deleteExpired();
      expect(await store({ now: () => 129 * DAY }).note('draft t')).to.equal('Words');
      await store({ now: () => 131 * DAY }).deleteExpired();
      expect((await records()).notes).to.deep.equal([]);
    });

    it('starts now for dates in the future, after the clock was set back', async () => {
      await store({ now: () => 1000 * DAY }).save(thread('t', 1000 * DAY));
      await store({ now: () => 1000 * DAY }).setNote('draft u', 'Words');
      const back = store({ now: () => 10 * DAY });
      expect((await back.list())[0]?.updated).to.equal(10 * DAY);
      expect(await store({ now: () => 41 * DAY }).list()).to.deep.equal([]);
      expect((await records()).notes).to.deep.equal([]);
    });

    const damaged = { null: null, 'an object': {}, 'a list': [], NaN: Number.NaN, 'a text': '', undefined };
    for (const [what, time] of Object.entries(damaged))
      it(`starts now for a damaged record whose time is ${what}`, async () => {
        const database = await openDatabase({ name });
        for (const scope of ['ann', 'bob'])
          await database.put('threads', { ...thread('t', time as number), scope, bytes: 1, expires: time as number });
        database.close();
        const one = store({ now: () => 100 * DAY });
        expect(await one.load('t')).not.to.equal(undefined);
        expect((await one.list()).map(({ updated }) => updated)).to.deep.equal([100 * DAY]);
        const { threads } = await records();
        expect(threads.map((record) => (record as StoredThread).updated)).to.deep.equal([100 * DAY, 100 * DAY]);
        expect(await store({ now: () => 131 * DAY }).list()).to.deep.equal([]);
      });
  });

  it('lists damaged records as far as they can be read', async () => {
    await store().save(thread('t', 1));
    const database = await openDatabase({ name });
    await database.put('threads', { ...thread('u', 2), scope: 'ann', title: 7 as never, bytes: 1 });
    await database.put('messages', { scope: 'ann', thread: 't', id: 'x' } as never);
    database.close();
    const one = store();
    expect((await one.list()).map(({ id, title }) => [id, title])).to.deep.equal([
      ['t', 't'],
      ['u', ''],
    ]);
    const loaded = await one.load('t');
    expect(loaded?.messages).to.have.lengthOf(2);
    expect(await one.save(thread('t', 3))).to.equal(true);
    expect((await one.load('t'))?.messages).to.have.lengthOf(1);
  });

  it('saves the whole conversation again after the user has deleted the data of the site', async () => {
    const one = store();
    const messages = [message('a', 'One'), message('b', 'Two')];
    await one.save(thread('t', 1, messages));
    await deleteDB(name);
    await one.save(thread('t', 2, [...messages, message('c', 'Three')]));
    expect((await store().load('t'))?.messages).to.have.lengthOf(3);
  });

  it('opens the database again after its connection was closed', async () => {
    let opened: Database | undefined;
    const one = store({ open: async (given) => (opened = await openDatabase({ ...given, name })) });
    await one.save(thread('t', 1));
    opened?.close();
    expect(await one.load('t')).not.to.equal(undefined);
  });

  it('reports a VersionError after another tab has upgraded the database', async () => {
    const one = store();
    await one.save(thread('t', 1));
    const newer = await openDB(name, 2);
    newer.close();
    const error: unknown = await one.load('t').catch((cause: unknown) => cause);
    expect(error).to.have.property('name', 'VersionError');
  });
});

describe('openDatabase()', () => {
  it('runs each migration once, in order', async () => {
    const name = `test ${String(Math.random())}`;
    const ran: number[] = [];
    const first: Migration = (database) => {
      ran.push(1);
      database.createObjectStore('threads', { keyPath: ['scope', 'id'] });
    };
    const second: Migration = (database) => {
      ran.push(2);
      database.createObjectStore('notes', { keyPath: ['scope', 'name'] });
    };
    (await openDatabase({ name, migrations: [first] })).close();
    const database = await openDatabase({ name, migrations: [first, second] });
    expect(ran).to.deep.equal([1, 2]);
    expect([...database.objectStoreNames]).to.deep.equal(['notes', 'threads']);
    database.close();
    await deleteDB(name);
  });
});
