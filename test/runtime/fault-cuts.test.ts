/** Streams that fail, cut by the network at every byte: one result, whatever the cut. */
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
  { name: 'a whole reply', body: session('Whole'), seen: 'assistant complete: Whole' },
  { name: 'no end mark', body: half, seen: 'assistant interrupted: Half | error: cut' },
  { name: 'a connection that drops', body: half, end: 'drop', seen: 'assistant interrupted: Half | error: dropped' },
  {
    name: 'an error in the middle',
    body: half + event('error', { error_type: 'execution', message: 'No.' }),
    seen: 'assistant error: Half | error: No.',
  },
  {
    name: 'a broken frame',
    body: `${half}data: {"type": "con\n\n${session(' and more')}`,
    seen: 'assistant complete: Half and more',
  },
  { name: 'a web page', body: '<!doctype html><h1>Sign in</h1>', seen: 'assistant error: error: html' },
  { name: 'comments alone', body: ': hello\n\n: again\n\n', seen: 'assistant error: error: empty' },
];

/** What is left of a reply whose body came in these pieces. */
async function play(pieces: readonly string[], end: 'close' | 'drop' = 'close'): Promise<string | undefined> {
  const { chat } = makeChat([watchedBody(pieces, end).response]);
  await chat.send('Hi');
  expect(chat.status).to.be.oneOf(['idle', 'error']);
  return lines(chat).at(-1);
}

describe('a stream that fails, cut anywhere', () => {
  for (const { name, body, end, seen } of rows) {
    it(`${name}: ${seen}`, async () => {
      const found = new Set([await play([body], end)]);
      for (let at = 1; at < body.length; at++) found.add(await play([body.slice(0, at), body.slice(at)], end));
      expect([...found]).to.deep.equal([seen]);
    });
  }

  it('a reply that ends at any byte before its end says so, and keeps what came', async () => {
    const body = session('Half');
    for (let at = 1; at < half.length - 2; at++) {
      expect(await play([body.slice(0, at)])).to.match(/^assistant (?:interrupted|error): (?:Half \| )?error: \S+$/);
    }
  });
});
