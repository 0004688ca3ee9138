/** The work of an idle widget on the page that loads it. Counted, not timed. */
import { expect, nextFrame } from '@open-wc/testing';
import '../../../src/define.ts';

/** Calls `work`, and counts the calls of a method meanwhile. */
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

/** Mounts an empty widget in English. Returns how often it was rendered. */
async function mountIdle(): Promise<number> {
  const chat = document.createElement('agent-chat');
  let renders = 0;
  chat.lang = 'en';
  chat.addController({ hostUpdated: () => renders++ });
  document.body.append(chat);
  await chat.updateComplete;
  for (let frame = 0; frame < 3; frame++) await nextFrame();
  chat.remove();
  return renders;
}

describe('an idle widget', () => {
  it('is rendered once', async () => {
    expect(await mountIdle()).to.equal(1);
  });

  for (const name of ['NumberFormat', 'DateTimeFormat', 'PluralRules'] as const) {
    it(`creates no ${name}`, async () => {
      expect(await callsOf(Intl, name, mountIdle)).to.equal(0);
    });
  }

  it('does not read the selection, which would force a layout', async () => {
    expect(await callsOf(document, 'getSelection', mountIdle)).to.equal(0);
  });
});
