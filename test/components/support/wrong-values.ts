/** The wrong values for the tests of the public API, and shared helpers. */
import { expect } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, warningsOf } from './mount.ts';

const circle: Record<string, unknown> = {};
circle['self'] = circle;
/** An error thrown by a function of the page is reported unchanged, and does not count as an error of the widget. */
const ofPage = new Error('of the page');
const fail = (): never => {
  throw ofPage;
};

export const VALUES: readonly (readonly [name: string, value: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['true', true],
  ['false', false],
  ['0', 0],
  ['-1', -1],
  ['1.5', 1.5],
  ['5', 5],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['10n', 10n],
  ['an empty string', ''],
  ['a string', 'x'],
  ['a blank', ' '],
  ['JSON', '[null]'],
  ['a symbol', Symbol('x')],
  ['[]', []],
  ['[null]', [null]],
  ['[undefined]', [undefined]],
  ['["delete"]', ['delete']],
  ['[7]', [7]],
  ['[[]]', [[]]],
  ['[{}]', [{}]],
  ['{}', {}],
  ['{ id: 7 }', { id: 7 }],
  ['an object without a prototype', Object.create(null)],
  ['a date', new Date(0)],
  ['a pattern', /x/],
  ['a map', new Map([[1, 2]])],
  ['a function', () => undefined],
  ['a function that throws', fail],
  ['a function that rejects', () => Promise.reject(ofPage)],
  ['a class', AbortController],
  ['a circle', circle],
  ['a promise', Promise.resolve()],
];

/** An agent that answers immediately. */
export const reply = (): Promise<Response> => {
  const frames = [
    { type: 'content', data: { content: 'Hello.' } },
    { type: 'session_end', data: { status: 'completed' } },
  ];
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
  return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
};

/** Longer than any reply of these tests takes: a promise that is pending after it stays pending. */
const SETTLED = 5000;

/** The result of a promise: undefined where it fulfils, its error where it rejects, `pending` where it never settles. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  let timer = 0;
  const late = new Promise<string>((resolve) => {
    timer = window.setTimeout(() => {
      resolve('pending');
    }, SETTLED);
  });
  const settled = promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return Promise.race([settled, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** The errors that reach the window during an action. */
export async function errorsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const errors: string[] = [];
  const note = (event: Event): void => {
    event.preventDefault();
    const reason: unknown = event instanceof ErrorEvent ? event.error : (event as PromiseRejectionEvent).reason;
    if (reason === ofPage) return;
    errors.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  };
  addEventListener('error', note);
  addEventListener('unhandledrejection', note);
  try {
    await warningsOf(act);
  } finally {
    removeEventListener('error', note);
    removeEventListener('unhandledrejection', note);
  }
  return errors;
}

export const set = (chat: AgentChat, name: string, value: unknown): void => {
  Reflect.set(chat, name, value);
};

/** The widget still renders and still sends. */
export async function expectWorking(chat: AgentChat): Promise<void> {
  const answer = await chat.send('Hello');
  expect(answer.status).to.equal('complete');
  await chat.updateComplete;
  expect(find(chat, '[part="input"]')).to.be.instanceOf(HTMLTextAreaElement);
}

/** The result of a call, for a message. */
export const describeOutcome = (outcome: unknown): string =>
  outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : typeof outcome;
