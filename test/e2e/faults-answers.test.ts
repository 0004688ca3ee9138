/** Faults that replace the whole answer. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FaultName } from './support/fault-server.ts';
import { checkFault, openFaultSite, type FaultSite, type FaultCase } from './support/fault-page.ts';

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

const http = (status: number, retryable: boolean, kind = 'http'): FaultCase['errors'] => [{ kind, status, retryable }];

const rows: readonly FaultCase[] = [
  {
    fault: 'a web page with 200',
    ends: 'error',
    message: 'The server sent a web page instead of an answer. It may be a sign-in page or a wrong address.',
    errors: [{ kind: 'unsupported-stream', retryable: false }],
    requests: [1, 1],
  },
  {
    fault: 'a web page with 502',
    ends: 'error',
    message: 'The agent returned an error (502).',
    errors: http(502, true),
    requests: [1, 3],
  },
  { fault: 'JSON with 200', path: '/auto', ends: 'complete', message: '', errors: [], requests: [1, 1] },
  {
    fault: 'an error as JSON with 200',
    path: '/auto',
    ends: 'error',
    message: 'Something went wrong',
    errors: [{ kind: 'agent', retryable: false }],
    requests: [1, 1],
  },
  {
    fault: 'an empty body',
    ends: 'error',
    message: 'The agent sent an empty answer.',
    errors: [{ kind: 'protocol', retryable: true }],
    requests: [1, 1],
  },
  {
    fault: '204',
    ends: 'error',
    message: 'The agent sent an empty answer.',
    errors: [{ kind: 'protocol', retryable: true }],
    requests: [1, 1],
  },
  { fault: 'the wrong content type', ends: 'complete', message: '', errors: [], requests: [1, 1] },
  ...redirects.map((fault): FaultCase => ({
    fault,
    ends: 'error',
    message: MOVED,
    errors: [{ kind: 'http', retryable: false }],
    requests: [1, 1],
  })),
  {
    fault: '401',
    ends: 'error',
    message: 'You are not signed in, or your session has expired.',
    errors: http(401, false, 'auth'),
    requests: [1, 1],
  },
  {
    fault: '403',
    ends: 'error',
    message: 'You don’t have access to this agent.',
    errors: http(403, false, 'auth'),
    requests: [1, 1],
  },
  {
    fault: '404',
    ends: 'error',
    message: 'There is no agent at this address.',
    errors: http(404, false),
    requests: [1, 1],
  },
  {
    fault: '408',
    ends: 'error',
    message: 'The agent took too long to respond.',
    errors: http(408, true, 'timeout'),
    requests: [1, 3],
  },
  {
    fault: '409',
    ends: 'error',
    message: 'The agent refused the request (409).',
    errors: http(409, true),
    requests: [1, 3],
  },
  {
    fault: '413',
    ends: 'error',
    message: 'The message is too large for the agent.',
    errors: http(413, false, 'limit'),
    requests: [1, 1],
  },
  { fault: '429', ends: 'error', message: LIMITED, errors: http(429, true, 'rate-limit'), requests: [3, 3] },
  {
    fault: '429 for a second',
    ends: 'error',
    message: LIMITED,
    errors: http(429, true, 'rate-limit'),
    requests: [3, 3],
  },
  {
    fault: '429 until a date',
    ends: 'error',
    message: LIMITED,
    errors: http(429, true, 'rate-limit'),
    requests: [3, 3],
  },
  {
    fault: '429 for an hour',
    ends: 'error',
    message: LIMITED,
    errors: http(429, true, 'rate-limit'),
    requests: [1, 1],
  },
  {
    fault: '500',
    ends: 'error',
    message: 'The agent returned an error (500).',
    errors: http(500, true),
    requests: [1, 3],
  },
  {
    fault: '503',
    ends: 'error',
    message: 'The agent returned an error (503).',
    errors: http(503, true),
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

  for (const row of rows) it(`${row.fault}: ${row.message || 'it is an answer'}`, () => checkFault(at, row));
});
