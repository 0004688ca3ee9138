import { expect } from '@open-wc/testing';
import { deleteDB, openDB } from 'idb';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { KeptThread } from '../../../src/runtime/keeping/conversation-store.ts';
import { openDatabase, type Migration } from '../../../src/runtime/keeping/database.ts';
import { LocalStore, type LocalStoreOptions } from '../../../src/runtime/keeping/local-store.ts';

const DAY = 86_400_000;
const message = (id: string, text: string): ChatMessage => ({
  id,
  role: 'user',
  status: 'complete',
  timestamp: 1,
  blocks: [{ id: `${id}.1`, type: 'content', status: 'success', timestamp: 1, content: text, format: 'text' }],
});
const thread = (id: string, updated: number, messages: readonly ChatMessage[] = [message('m', 'Hi')]): KeptThread => ({
  version: 1,
  id,
  title: id,
  updated,
  messages,
});

describe('LocalStore', () => {
  let name = '';
  let made: LocalStore[] = [];
  const store = (options: Partial<LocalStoreOptions> = {}): LocalStore => {
    const one = new LocalStore({
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

  it('gives back what was saved, in its order, after changes in the middle', async () => {
    const first = [message('a', 'One'), message('b', 'Two'), message('c', 'Three')];
    const writer = store();
    await writer.save(thread('t', 1, first));
    const second = [first[0], message('b', 'Other'), message('d', 'Four')].filter((one) => one !== undefined);
    await writer.save(thread('t', 2, second));
    expect((await store().load('t'))?.messages).to.deep.equal(second);
  });

  it('shows a user nothing of another', async () => {
    await store().save(thread('t', 1));
    const other = store({ scope: 'bob' });
    expect(await other.list()).to.deep.equal([]);
    expect(await other.load('t')).to.equal(undefined);
    await other.clear();
    expect(await store().load('t')).not.to.equal(undefined);
  });

  it('deletes what is older than the days it is kept, also of users who never come back', async () => {
    await store({ scope: 'gone' }).save(thread('t', 0));
    await store().save(thread('old', 0));
    await store().save(thread('new', 20 * DAY));
    const later = store({ now: () => 31 * DAY });
    expect((await later.list()).map(({ id }) => id)).to.deep.equal(['new']);
    expect(await store({ scope: 'gone', now: () => 31 * DAY }).load('t')).to.equal(undefined);
  });

  it('lets the oldest go when there is more than there may be', async () => {
    const writer = store({ limit: 1000 });
    const long = (id: string) => [message(id, 'x'.repeat(300))];
    for (const [index, id] of ['a', 'b', 'c'].entries()) await writer.save(thread(id, index, long(id)));
    expect((await writer.list()).map(({ id }) => id)).to.deep.equal(['b', 'c']);
  });

  it('says that one conversation alone is too large', async () => {
    const error: unknown = await store({ limit: 100 })
      .save(thread('t', 1))
      .catch((cause: unknown) => cause);
    expect(error).to.include({ kind: 'storage', reason: 'storage-full' });
  });

  it('keeps notes, renames and removes with all that belongs to it', async () => {
    const one = store();
    await one.save(thread('t', 1));
    await one.setNote('draft t', 'Half a sen');
    await one.rename('t', 'Another name');
    expect((await one.list())[0]?.title).to.equal('Another name');
    expect(await one.note('draft t')).to.equal('Half a sen');
    await one.remove('t');
    expect([await one.load('t'), await one.note('draft t')]).to.deep.equal([undefined, undefined]);
  });

  it('opens the database anew after another tab has brought it to a newer form', async () => {
    const one = store();
    await one.save(thread('t', 1));
    const newer = await openDB(name, 2);
    newer.close();
    const error: unknown = await one.load('t').catch((cause: unknown) => cause);
    expect(error).to.have.property('name', 'VersionError');
  });
});

describe('openDatabase', () => {
  it('brings an older form to that of today, step by step, and runs no step twice', async () => {
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
