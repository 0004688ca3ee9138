import { expect } from '@open-wc/testing';
import { errorMessage } from '../../src/protocols/shared/error-message.ts';

const STACK = 'Boom\n    at run (file:///srv/agent.js:10:5)\n    at async file:///srv/index.js:3:1';

const rows: readonly { readonly name: string; readonly error: unknown; readonly message: string | undefined }[] = [
  { name: 'a text', error: 'Boom', message: 'Boom' },
  { name: 'a text with a stack', error: `Error: ${STACK}`, message: 'Error: Boom' },
  { name: 'a message with a stack', error: { message: STACK }, message: 'Boom' },
  { name: 'a message beside its stack', error: { message: 'Boom', stack: `Error: ${STACK}` }, message: 'Boom' },
  { name: 'JSON as text, with a stack', error: JSON.stringify({ message: 'Boom', stack: STACK }), message: 'Boom' },
  { name: 'JSON in JSON', error: { error: { message: '{"detail":"Boom"}' } }, message: 'Boom' },
  {
    name: 'a Java stack',
    error: 'java.lang.IllegalStateException: Boom\n\tat com.example.Agent.run(Agent.java:12)\n\t... 8 more',
    message: 'java.lang.IllegalStateException: Boom',
  },
  {
    name: 'a Python traceback',
    error:
      'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in run\n    raise ValueError("Boom")\nValueError: Boom',
    message: 'ValueError: Boom',
  },
  { name: 'lines that are no stack trace', error: 'Boom\nat the second try', message: 'Boom\nat the second try' },
  { name: 'OpenAI', error: { error: { message: 'Boom', type: 'server_error', code: null } }, message: 'Boom' },
  {
    name: 'an error with a code beside a message',
    error: { error: 'invalid_request', message: 'No method' },
    message: 'No method',
  },
  {
    name: 'the same in the other order',
    error: { message: 'bad_request', error: 'The model is gone' },
    message: 'The model is gone',
  },
  {
    name: 'the error event of a stream as a body',
    error: { type: 'error', phase: 'error', data: { code: 'NO_DATA', message: 'The model is gone' } },
    message: 'The model is gone',
  },
  { name: 'only a code', error: { error: 'invalid_request' }, message: 'invalid_request' },
  {
    name: 'Spring',
    error: { status: 500, error: 'Internal Server Error', message: '', trace: STACK },
    message: 'Internal Server Error',
  },
  {
    name: 'a DeepChat response',
    error: {
      id: 'r',
      type: 'error',
      content: { error: { code: 'E1', message: 'No symbol', details: {} } },
      status: 'error',
    },
    message: 'No symbol',
  },
  {
    name: 'a failed response whose content is text',
    error: { object: 'response', status: 'failed', error: null, content: 'The model is gone' },
    message: 'The model is gone',
  },
  { name: 'FastAPI', error: { detail: 'Boom now' }, message: 'Boom now' },
  { name: 'FastAPI’s list', error: { detail: [{ loc: ['body', 'x'], msg: 'missing' }] }, message: 'body.x: missing' },
  { name: 'GraphQL', error: { errors: [{ message: 'Boom' }] }, message: 'Boom' },
  { name: 'Genkit', error: { error: { status: 'INTERNAL', message: 'Boom', details: STACK } }, message: 'Boom' },
  { name: 'OAuth', error: { error: 'invalid_grant', error_description: 'It has expired' }, message: 'It has expired' },
  { name: 'a list', error: [{ error: { message: 'Boom' } }], message: 'Boom' },
  { name: 'a web page', error: '<html><h1>502</h1>', message: undefined },
  { name: 'an object without a message', error: { ok: false }, message: undefined },
  { name: 'only a stack trace', error: { stack: STACK }, message: undefined },
  { name: 'nothing', error: undefined, message: undefined },
  { name: 'a deeply nested object', error: nested(50), message: undefined },
];

function nested(depth: number): object {
  return depth === 0 ? { message: 'Boom' } : { error: nested(depth - 1) };
}

describe('errorMessage()', () => {
  for (const { name, error, message } of rows) {
    it(name, () => {
      expect(errorMessage(error)).to.equal(message);
    });
  }
});
