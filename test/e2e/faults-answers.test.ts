/** Faults that replace the whole answer. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FaultName } from './support/fault-server.ts';
import { checkFault, openFaultSite, type FaultSite, type Seen } from './support/fault-page.ts';

const MOVED = 'The endpoint moved to another address.';
const LIMITED = 'Too many requests. Wait a moment.';
const redirects: readonly FaultName[] = [
  '301 here',
  '302 here',
  '307 here',
  '308 here',
  '301 elsewhere',
  '302 elsewhere',
  '307 elsewhere',
  '308 elsewhere',
];

const http = (status: number, retryable: boolean, kind = 'http'): Seen['told'] => [{ kind, status, retryable }];

const rows: readonly Seen[] = [
  {
    fault: 'a web page with 200',
    ends: 'error',
    says: 'The server sent a web page instead of an answer. It may be a sign-in page or a wrong address.',
    told: [{ kind: 'unsupported-stream', retryable: false }],
    requests: [1, 1],
  },
  {
    fault: 'a web page with 502',
    ends: 'error',
    says: 'The agent returned an error (502).',
    told: http(502, true),
    requests: [1, 3],
  },
  { fault: 'JSON with 200', path: '/auto', ends: 'complete', says: '', told: [], requests: [1, 1] },
  {
    fault: 'an error as JSON with 200',
    path: '/auto',
    ends: 'error',
    says: 'Something went wrong',
    told: [{ kind: 'agent', retryable: false }],
    requests: [1, 1],
  },
  {
    fault: 'an empty body',
    ends: 'error',
    says: 'The agent sent an empty answer.',
    told: [{ kind: 'protocol', retryable: true }],
    requests: [1, 1],
  },
  {
    fault: '204',
    ends: 'error',
    says: 'The agent sent an empty answer.',
    told: [{ kind: 'protocol', retryable: true }],
    requests: [1, 1],
  },
  { fault: 'the wrong content type', ends: 'complete', says: '', told: [], requests: [1, 1] },
  ...redirects.map((fault): Seen => ({
    fault,
    ends: 'error',
    says: MOVED,
    told: [{ kind: 'http', retryable: false }],
    requests: [1, 1],
  })),
  {
    fault: '401',
    ends: 'error',
    says: 'You are not signed in, or your session has expired.',
    told: http(401, false, 'auth'),
    requests: [1, 1],
  },
  {
    fault: '403',
    ends: 'error',
    says: 'You don’t have access to this agent.',
    told: http(403, false, 'auth'),
    requests: [1, 1],
  },
  {
    fault: '404',
    ends: 'error',
    says: 'There is no agent at this address.',
    told: http(404, false),
    requests: [1, 1],
  },
  {
    fault: '408',
    ends: 'error',
    says: 'The agent took too long to respond.',
    told: http(408, true, 'timeout'),
    requests: [1, 3],
  },
  {
    fault: '409',
    ends: 'error',
    says: 'The agent refused the request (409).',
    told: http(409, true),
    requests: [1, 3],
  },
  {
    fault: '413',
    ends: 'error',
    says: 'The message is too large for the agent.',
    told: http(413, false, 'limit'),
    requests: [1, 1],
  },
  { fault: '429', ends: 'error', says: LIMITED, told: http(429, true, 'rate-limit'), requests: [3, 3] },
  { fault: '429 for a second', ends: 'error', says: LIMITED, told: http(429, true, 'rate-limit'), requests: [3, 3] },
  { fault: '429 until a date', ends: 'error', says: LIMITED, told: http(429, true, 'rate-limit'), requests: [3, 3] },
  { fault: '429 for an hour', ends: 'error', says: LIMITED, told: http(429, true, 'rate-limit'), requests: [1, 1] },
  {
    fault: '500',
    ends: 'error',
    says: 'The agent returned an error (500).',
    told: http(500, true),
    requests: [1, 3],
  },
  {
    fault: '503',
    ends: 'error',
    says: 'The agent returned an error (503).',
    told: http(503, true),
    requests: [3, 3],
  },
];

describe('faults instead of an answer', () => {
  let at: FaultSite;
  before(async () => {
    at = await openFaultSite();
  });
  after(async () => {
    assert.deepEqual(at.strange, [], 'nothing was sent elsewhere');
    await at.close();
  });

  for (const row of rows) it(`${row.fault}: ${row.says || 'it is an answer'}`, () => checkFault(at, row));
});
