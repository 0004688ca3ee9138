import { expect } from '@open-wc/testing';
import { maskSecrets, maskSecretsIn } from '../../src/safety/secrets.ts';

// Keys in the shape of real ones, put together here so that no scanner takes them for such.
const key = (...parts: readonly string[]): string => parts.join('');
const body = 'a1B2c3D4e5F6g7H8i9J0k1L2';

describe('maskSecrets', () => {
  const rows: readonly { name: string; text: string; sent?: readonly string[]; expected: string }[] = [
    { name: 'a key', text: `Incorrect API key: ${key('sk-', body)}.`, expected: 'Incorrect API key: ***.' },
    { name: 'a key of a project', text: key('sk-', 'proj-', body), expected: '***' },
    { name: 'a live key', text: key('sk_', 'live_', body), expected: '***' },
    { name: 'a token of a code host', text: key('ghp', '_', body), expected: '***' },
    { name: 'a token of a chat', text: key('xoxb', '-1234-', body), expected: '***' },
    { name: 'a key of a cloud', text: key('AKIA', 'IOSFODNN7EXAMPLE'), expected: '***' },
    { name: 'a key of another cloud', text: key('AIza', body, body), expected: '***' },
    { name: 'a signed token', text: key('eyJhbGciOiJI', '.eyJzdWIiOiIx', '.c2lnbmF0dXJl'), expected: '***' },
    { name: 'what a scheme carries', text: `Got "Bearer ${body}".`, expected: 'Got "Bearer ***".' },
    { name: 'several at once', text: `${key('sk-', body)} ${key('sk-', body)}`, expected: '*** ***' },
    {
      name: 'a value that was sent',
      text: 'no such key: my-own-value',
      sent: ['my-own-value'],
      expected: 'no such key: ***',
    },
    {
      name: 'a sent value without its scheme',
      text: 'bad my-own-value',
      sent: ['Bearer my-own-value'],
      expected: 'bad ***',
    },
    {
      name: 'a sent value that begins another',
      text: 'bad secret-value-2',
      sent: ['secret-value', 'secret-value-2'],
      expected: 'bad ***',
    },
    {
      name: 'a sent value with a key in it',
      text: `bad tenant-9: ${key('sk-', body)}`,
      sent: [`tenant-9: ${key('sk-', body)}`],
      expected: 'bad ***',
    },
    {
      name: 'no short values, which are words',
      text: 'en is not supported',
      sent: ['en', 'json'],
      expected: 'en is not supported',
    },
    {
      name: 'no words',
      text: 'The task-force asked for a risk-assessment-report',
      expected: 'The task-force asked for a risk-assessment-report',
    },
    { name: 'no sentence', text: 'Model gpt-4o was not found', expected: 'Model gpt-4o was not found' },
  ];
  for (const { name, text, sent, expected } of rows) {
    it(`masks ${name}`, () => {
      expect(maskSecrets(text, sent)).to.equal(expected);
    });
  }
});

describe('maskSecretsIn', () => {
  it('masks every text of a value, and leaves the rest as it was', () => {
    const value = { a: ['my-own-token', 1, null], b: { c: true, d: 'fine' } };
    expect(maskSecretsIn(value, ['my-own-token'])).to.deep.equal({ a: ['***', 1, null], b: { c: true, d: 'fine' } });
    expect(value.a[0]).to.equal('my-own-token');
  });

  it('gives up on places that are too deep, and on no name', () => {
    let deep: unknown = 'my-own-token';
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    expect(JSON.stringify(maskSecretsIn(deep, ['my-own-token']))).to.include('…');
    const odd = JSON.parse('{"__proto__":{"polluted":"my-own-token"}}') as object;
    expect(JSON.stringify(maskSecretsIn(odd, ['my-own-token']))).to.equal('{"__proto__":{"polluted":"***"}}');
  });
});
