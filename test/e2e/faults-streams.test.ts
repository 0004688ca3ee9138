/** Streams that break, stop sending, or never end. */
import { after, before, describe, it } from 'node:test';
import { checkFault, openFaultSite, type FaultSite, type FaultCase } from './support/fault-page.ts';

const network: FaultCase['errors'] = [{ kind: 'network', retryable: true }];
const timeout: FaultCase['errors'] = [{ kind: 'timeout', retryable: true }];
const limit: FaultCase['errors'] = [{ kind: 'limit', retryable: false }];
const soon = { idle: 1000, firstByte: 1000 };

const rows: readonly FaultCase[] = [
  {
    fault: 'never answers',
    limits: soon,
    ends: 'interrupted',
    message: 'The agent has not answered for 1 second.',
    errors: timeout,
    requests: [1, 1],
  },
  {
    fault: 'never begins',
    limits: soon,
    ends: 'interrupted',
    message: 'The agent has not answered for 1 second.',
    errors: timeout,
    requests: [1, 1],
  },
  {
    fault: 'stalls',
    limits: soon,
    ends: 'interrupted',
    message: 'The agent sent nothing for 1 second.',
    errors: timeout,
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'dropped before its first byte',
    ends: 'interrupted',
    message: 'The connection to the agent was lost.',
    errors: network,
    requests: [1, 1],
  },
  {
    fault: 'dropped after its first byte',
    ends: 'interrupted',
    message: 'The connection to the agent was lost.',
    errors: network,
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'cut without an end mark',
    ends: 'interrupted',
    message: 'The answer was cut off',
    errors: network,
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'error in the middle',
    ends: 'error',
    message: 'Something went wrong',
    errors: [{ kind: 'agent', retryable: true }],
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'broken frames',
    ends: 'complete',
    message: '',
    errors: [{ kind: 'protocol', retryable: false }],
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'an endless stream',
    limits: { messageBytes: 100_000 },
    ends: 'error',
    message: 'The answer is too long.',
    errors: limit,
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'an endless line',
    ends: 'error',
    message: 'A part of the answer is too long.',
    errors: limit,
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'endless comments',
    limits: { streamBytes: 1_000_000 },
    ends: 'error',
    message: 'The answer is too long.',
    errors: limit,
    keepsText: true,
    requests: [1, 1],
  },
  {
    fault: 'a gzip bomb of one line',
    path: '/auto',
    ends: 'error',
    message: 'The answer is too long.',
    errors: limit,
    requests: [1, 1],
  },
  {
    fault: 'a gzip bomb of events',
    limits: { messageBytes: 100_000 },
    ends: 'error',
    message: 'The answer is too long.',
    errors: limit,
    requests: [1, 1],
  },
  {
    fault: '500 whose body never ends',
    ends: 'error',
    message: 'The agent returned an error (500).',
    errors: [{ kind: 'http', status: 500, retryable: true }],
    requests: [1, 3],
  },
];

describe('streams that fail', () => {
  let at: FaultSite;
  before(async () => {
    at = await openFaultSite();
  });
  after(async () => {
    await at.close();
  });

  for (const row of rows) it(`${row.fault}: ${row.message || 'the rest is whole'}`, () => checkFault(at, row));

  it('dropped before its headers: the host is named', () => {
    const { host } = new URL(at.site.origin);
    return checkFault(at, {
      fault: 'dropped before its head',
      ends: 'error',
      message: `${host} can’t be reached.`,
      errors: network,
      requests: [1, 3],
    });
  });
});
