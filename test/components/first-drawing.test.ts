/** What an idle widget costs the page that loads it. Counted, not timed. */
import { expect, nextFrame } from '@open-wc/testing';
import '../../src/define.ts';

/** Calls `work`, and counts how often a method was called meanwhile. */
async function callsOf<K extends string>(
  object: Readonly<Record<K, unknown>>,
  name: K,
  work: () => Promise<unknown>,
): Promise<number> {
  const own = Object.getOwnPropertyDescriptor(object, name);
  const before = object[name] as (...input: readonly unknown[]) => unknown;
  let calls = 0;
  Object.defineProperty(object, name, {
    configurable: true,
    writable: true,
    value: new Proxy(before, {
      apply: (target, self, input) => (calls++, Reflect.apply(target, self, input)),
      construct: (target, input) => (calls++, Reflect.construct(target, input) as object),
    }),
  });
  try {
    await work();
  } finally {
    if (own) Object.defineProperty(object, name, own);
    else Reflect.deleteProperty(object, name);
  }
  return calls;
}

/** Mounts an empty widget in English. Returns how often it was drawn. */
async function mountIdle(): Promise<number> {
  const chat = document.createElement('agent-chat');
  let drawn = 0;
  chat.lang = 'en';
  chat.addController({ hostUpdated: () => drawn++ });
  document.body.append(chat);
  await chat.updateComplete;
  for (let frame = 0; frame < 3; frame++) await nextFrame();
  chat.remove();
  return drawn;
}

describe('an idle widget', () => {
  it('is drawn once', async () => {
    expect(await mountIdle()).to.equal(1);
  });

  for (const name of ['NumberFormat', 'DateTimeFormat', 'PluralRules'] as const) {
    it(`makes no ${name}, having nothing to count`, async () => {
      expect(await callsOf(Intl, name, mountIdle)).to.equal(0);
    });
  }

  it('does not ask what is selected, which would lay the page out', async () => {
    expect(await callsOf(document, 'getSelection', mountIdle)).to.equal(0);
  });
});
