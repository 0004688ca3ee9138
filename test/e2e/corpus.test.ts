/**
 * Every payload of the corpus through the built widget, as text and as reasoning, under the strictest policy and under
 * none.
 * `PAYLOADS` may name a file with more of them, as JSON: `[{id, input, note}]`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { MessageInput } from '../../src/index.ts';
import { corpus } from '../safety/corpus/corpus.ts';
import type { Payload } from '../safety/corpus/payload.ts';
import { addressPayloads, addressSinks, fieldPayloads, fieldSinks, keptSinks } from '../safety/corpus/sinks.ts';
import { asWords, hostileAgents, response, type Said } from './support/hostile-agent.ts';
import { openSite } from './support/site.ts';
import { STRICT } from './support/strict-csp.ts';
import { watchHost } from './support/watch-host.ts';

/** The number of widgets that stream in parallel. */
const WIDGETS = 6;

const more = process.env['PAYLOADS'];
const shown = new Map(corpus.map(({ input, shows }) => [input, shows]));
const all: readonly Payload[] = [
  ...corpus,
  ...(more === undefined ? [] : (JSON.parse(readFileSync(more, 'utf8')) as readonly Payload[])).map((payload) => {
    const shows = shown.get(payload.input);
    return { ...payload, ...(shows !== undefined && { shows }) };
  }),
];

const pageOf = (count: number): string =>
  `<p id="outside">Outside</p><p id="cookie">Outside</p>` +
  Array.from(
    { length: count },
    (_, index) =>
      `<agent-chat endpoint="/agent/${String(index)}" protocol="deepchat-events" show-reasoning="open" show-tools="open"></agent-chat>`,
  ).join('');

interface Outcome {
  readonly harm: readonly string[];
  /** Selectors that match nothing in any shadow tree. */
  readonly missing: readonly string[];
  /** The visible text, and the text for screen readers. */
  readonly visibleText: string;
  /** Names and titles with direction controls. */
  readonly turned: readonly string[];
}

interface Told {
  readonly speeches: readonly Said[];
  readonly csp: string | undefined;
  /** Selectors of elements that must be visible. */
  readonly selectors?: readonly string[];
  /** Text that must be in the transcript. */
  readonly marks?: readonly string[];
  /** The stored conversation of another widget. */
  readonly storedMessages?: readonly MessageInput[];
}

/** Checks the page after its widgets have received all payloads. */
async function checkSpeeches({
  speeches,
  csp,
  selectors = [],
  marks = [],
  storedMessages = [],
}: Told): Promise<Outcome> {
  const site = await openSite({
    pages: { '/': pageOf(speeches.length) },
    headers: csp === undefined ? {} : { 'content-security-policy': csp },
    agent: hostileAgents(speeches),
  });
  try {
    const page = await site.open();
    // Six long answers in parallel, on a machine that may have other work.
    page.setDefaultTimeout(60_000);
    const { violations: harm } = await watchHost(page, () => page.goto(`${site.origin}/`));
    await page.evaluate(async (messages) => {
      await customElements.whenDefined('agent-chat');
      const [first, ...others] = document.querySelectorAll('agent-chat');
      if (first && messages.length > 0) first.messages = messages;
      for (const chat of messages.length > 0 ? others : [first, ...others]) void chat?.send('Go on');
    }, storedMessages);
    await page.waitForFunction(
      (quiet) =>
        [...document.querySelectorAll('agent-chat')].every(
          ({ status, shadowRoot, messages }) =>
            messages.length > 0 && quiet.includes(status) && !shadowRoot?.querySelector('.growing'),
        ),
      ['idle', 'error', 'awaiting-action'],
    );
    // The lazy modules render a little later. Missing results are listed below.
    await page
      .waitForFunction(
        (sought) => {
          const roots = [...document.querySelectorAll('agent-chat')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
          const text = roots.map(({ textContent }) => textContent).join();
          return (
            sought.marks.every((mark) => text.includes(mark)) &&
            sought.wanted.every((selector) => roots.some((root) => root.querySelector(selector)))
          );
        },
        { marks, wanted: selectors },
        { polling: 250 },
      )
      .catch(() => undefined);
    const found = await page.evaluate(readChats, selectors);
    return { harm: await harm(), ...found };
  } finally {
    await site.close();
  }
}

/** Runs in the page. */
function readChats(selectors: readonly string[]): Omit<Outcome, 'harm'> {
  const roots = [...document.querySelectorAll('agent-chat')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  const elements = roots.flatMap((root) => [...root.querySelectorAll('*')]);
  const spoken = elements.flatMap((element) =>
    ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'].flatMap(
      (name) => element.getAttribute(name) ?? [],
    ),
  );
  const isTurned = (text: string): boolean => /[\u202a-\u202e\u2066-\u2069]/.test(text);
  const names = elements.filter(
    (element) =>
      element.matches('b, a, button, summary, .clip, .title, .label, .meta, th, h2, figcaption') &&
      !element.closest('.prose'),
  );
  return {
    missing: selectors.filter((selector) => !roots.some((root) => root.querySelector(selector))),
    visibleText: [...roots.map(({ textContent }) => textContent), ...spoken].join('\n'),
    turned: [
      ...names.filter(({ textContent }) => isTurned(textContent)).map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ...spoken.filter(isTurned),
    ],
  };
}

async function checkPayloads(list: readonly Payload[], csp: string | undefined): Promise<Outcome> {
  const size = Math.ceil(list.length / WIDGETS);
  const groups = Array.from({ length: WIDGETS }, (_, index) => list.slice(index * size, (index + 1) * size));
  const speeches = groups.filter((group) => group.length > 0).map(asWords);
  return checkSpeeches({ speeches, csp, selectors: list.flatMap(({ shows }) => shows ?? []) });
}

/** Bisects the list until one payload alone has the effect. */
async function culprit(list: readonly Payload[], csp: string | undefined): Promise<string> {
  const { harm } = await checkPayloads(list, csp);
  if (harm.length === 0) return '';
  const [first] = list;
  if (list.length === 1 && first) return `${first.id} (${first.note}): ${harm.join('; ')}`;
  const middle = Math.ceil(list.length / 2);
  return (
    (await culprit(list.slice(0, middle), csp)) ||
    (await culprit(list.slice(middle), csp)) ||
    `${list.map(({ id }) => id).join(', ')} together: ${harm.join('; ')}`
  );
}

/** A marker of each sink, by which it is found again. */
const markOf = (name: string): string => `<b onclick=attacked()>@${name}`;

/** Every field beside text that an agent can set. */
const sinkSpeeches = (): readonly Said[] => {
  const fields = fieldSinks.map(({ name, say }) =>
    // Below the answer only the first of many sources are shown, and the last of many plans counts.
    [markOf(name), ...fieldPayloads, markOf(name)].flatMap((text, index) => say(text, `${name}${String(index)}`)),
  );
  const addresses = addressSinks.map(({ name, say }) =>
    addressPayloads.flatMap((text, index) => say(text, `${name}-${String(index)}`)),
  );
  const parts = [...fields, ...addresses];
  const last = fieldPayloads.map((text) => ({ label: text, prompt: text, description: text, icon: text }));
  const groups = Array.from({ length: WIDGETS }, (_, index) =>
    parts.filter((_part, place) => place % WIDGETS === index).flat(),
  );
  return [
    // The first widget gets a stored conversation.
    [],
    ...groups.map((group) => [
      ...group.map(response),
      response({ suggestions: [...last, { label: markOf('suggestion'), prompt: 'x' }] }),
    ]),
    ...fieldPayloads.slice(0, 2).map((error) => [
      {
        type: 'error',
        data: { eventId: 'e', error: `${error} ${markOf('errorevent')}`, code: error, details: error },
      },
    ]),
  ];
};

const keptMessages: readonly MessageInput[] = [...fieldPayloads, ''].map((text) => ({
  role: 'assistant',
  name: text || markOf('speaker'),
  blocks: keptSinks.map(({ name, block }) => block(text || markOf(name))),
}));

describe('rule 1: hostile words', () => {
  it('the watcher reports an attack', async () => {
    const site = await openSite({ pages: { '/': pageOf(1) } });
    try {
      const page = await site.open();
      const { violations: harm } = await watchHost(page, () => page.goto(`${site.origin}/`));
      assert.deepEqual(await harm(), []);
      await page.evaluate(async () => {
        await fetch('/logout');
        alert(1);
        Object.assign(Object.prototype, { polluted: 1 });
        document.querySelector('#outside')?.remove();
        location.hash = 'owned';
        const root = document.querySelector('agent-chat')?.shadowRoot;
        root?.append(document.createElement('iframe'), Object.assign(document.createElement('a'), { href: '/x' }));
      });
      const seen = (await harm()).join('\n');
      for (const word of ['alert()', 'polluted', 'childList', '#owned', 'request', '<iframe>', '<a href'])
        assert.ok(seen.includes(word), `${word} is not in ${seen}`);
    } finally {
      await site.close();
    }
  });

  for (const [name, csp] of [
    ['under the strictest policy', STRICT],
    ['under no policy at all', undefined],
  ] as const) {
    it(`${String(all.length)} payloads ${name}`, async () => {
      const { harm, missing } = await checkPayloads(all, csp);
      if (harm.length > 0) assert.fail([await culprit(all, csp), ...harm].join('\n'));
      assert.deepEqual(missing, [], 'must be shown');
    });

    it(`rule 3: every other sink ${name}`, async () => {
      const seen = [...fieldSinks, ...keptSinks].filter(({ unseen }) => !unseen).map((sink) => sink.name);
      const marks = [...seen, 'suggestion', 'errorevent', 'speaker'].map((sink) => `>@${sink}`);
      const { harm, visibleText, turned } = await checkSpeeches({
        speeches: sinkSpeeches(),
        csp,
        storedMessages: keptMessages,
        marks,
      });
      assert.deepEqual(harm, []);
      const missingMarks = marks.filter((mark) => !visibleText.includes(mark));
      assert.deepEqual(missingMarks, [], 'shown as the text that they are');
      assert.deepEqual(turned, []);
    });
  }
});
