/** Failing streams, cut by the network at every byte: the result is the same for every cut. */
import { expect } from '@open-wc/testing';
import { lines, makeChat } from './support/make-chat.ts';
import { session, watchedBody } from './support/scripted-server.ts';

const event = (type: string, data: object): string =>
  `data: ${JSON.stringify({ type, data, metadata: { timestamp: 1_736_985_600 } })}\n\n`;
const half = session('Half', false);

const rows: readonly {
  readonly name: string;
  readonly body: string;
  readonly end?: 'drop';
  readonly seen: string;
}[] = [
  { name: 'a complete reply', body: session('Whole'), seen: 'assistant complete: Whole' },
  { name: 'no end marker', body: half, seen: 'assistant interrupted: Half | error: cut' },
  { name: 'a connection that drops', body: half, end: 'drop', seen: 'assistant interrupted: Half | error: dropped' },
  {
    name: 'an error in the middle',
    body: half + event('error', { error_type: 'execution', message: 'No.' }),
    seen: 'assistant error: Half | error: No.',
  },
  {
    name: 'a malformed frame',
    body: `${half}data: {"type": "con\n\n${session(' and more')}`,
    seen: 'assistant complete: Half and more',
  },
  { name: 'a web page', body: '<!doctype html><h1>Sign in</h1>', seen: 'assistant error: error: html' },
  { name: 'only comments', body: ': hello\n\n: again\n\n', seen: 'assistant error: error: empty' },
];

/** The result of a reply whose body arrived in these chunks. */
async function play(pieces: readonly string[], end: 'close' | 'drop' = 'close'): Promise<string | undefined> {
  const { chat } = makeChat([watchedBody(pieces, end).response]);
  await chat.send('Hi');
  expect(chat.status).to.be.oneOf(['idle', 'error']);
  return lines(chat).at(-1);
}

describe('a failing stream, cut at every byte', () => {
  for (const { name, body, end, seen } of rows) {
    it(`${name}: ${seen}`, async () => {
      const found = new Set([await play([body], end)]);
      for (let at = 1; at < body.length; at++) found.add(await play([body.slice(0, at), body.slice(at)], end));
      expect([...found]).to.deep.equal([seen]);
    });
  }

  it('a reply cut at any byte before its end is interrupted, and keeps the received text', async () => {
    const body = session('Half');
    for (let at = 1; at < half.length - 2; at++) {
      expect(await play([body.slice(0, at)])).to.match(/^assistant (?:interrupted|error): (?:Half \| )?error: \S+$/);
    }
  });
});
