/** Streams that break, stop sending, or never end. */
import { after, before, describe, it } from 'node:test';
import { checkFault, openFaultSite, type FaultSite, type Seen } from './support/fault-page.ts';

const network: Seen['told'] = [{ kind: 'network', retryable: true }];
const timeout: Seen['told'] = [{ kind: 'timeout', retryable: true }];
const limit: Seen['told'] = [{ kind: 'limit', retryable: false }];
const soon = { idle: 1000, firstByte: 1000 };

const rows: readonly Seen[] = [
  {
    fault: 'never answers',
    limits: soon,
    ends: 'interrupted',
    says: 'The agent has not answered for 1 second.',
    told: timeout,
    requests: [1, 1],
  },
  {
    fault: 'never begins',
    limits: soon,
    ends: 'interrupted',
    says: 'The agent has not answered for 1 second.',
    told: timeout,
    requests: [1, 1],
  },
  {
    fault: 'stalls',
    limits: soon,
    ends: 'interrupted',
    says: 'The agent sent nothing for 1 second.',
    told: timeout,
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'dropped before its first byte',
    ends: 'interrupted',
    says: 'The connection to the agent was lost.',
    told: network,
    requests: [1, 1],
  },
  {
    fault: 'dropped after its first byte',
    ends: 'interrupted',
    says: 'The connection to the agent was lost.',
    told: network,
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'cut without an end mark',
    ends: 'interrupted',
    says: 'The answer was cut off',
    told: network,
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'error in the middle',
    ends: 'error',
    says: 'Something went wrong',
    told: [{ kind: 'agent', retryable: true }],
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'broken frames',
    ends: 'complete',
    says: '',
    told: [{ kind: 'protocol', retryable: false }],
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'an endless stream',
    limits: { messageBytes: 100_000 },
    ends: 'error',
    says: 'The answer is too long.',
    told: limit,
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'an endless line',
    ends: 'error',
    says: 'A part of the answer is too long.',
    told: limit,
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'endless comments',
    limits: { streamBytes: 1_000_000 },
    ends: 'error',
    says: 'The answer is too long.',
    told: limit,
    kept: true,
    requests: [1, 1],
  },
  {
    fault: 'a gzip bomb of one line',
    path: '/auto',
    ends: 'error',
    says: 'The answer is too long.',
    told: limit,
    requests: [1, 1],
  },
  {
    fault: 'a gzip bomb of events',
    limits: { messageBytes: 100_000 },
    ends: 'error',
    says: 'The answer is too long.',
    told: limit,
    requests: [1, 1],
  },
  {
    fault: '500 whose body never ends',
    ends: 'error',
    says: 'The agent returned an error (500).',
    told: [{ kind: 'http', status: 500, retryable: true }],
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

  for (const row of rows) it(`${row.fault}: ${row.says || 'the rest is whole'}`, () => checkFault(at, row));

  it('dropped before its headers: the host is named', () => {
    const { host } = new URL(at.site.origin);
    return checkFault(at, {
      fault: 'dropped before its head',
      ends: 'error',
      says: `${host} can’t be reached.`,
      told: network,
      requests: [1, 3],
    });
  });
});
