import { expect } from '@open-wc/testing';
import { spellingsOfSecrets } from '../../src/safety/remember-secrets.ts';
import { maskKeysInProse, maskSecrets, maskSecretsIn } from '../../src/safety/mask-secrets.ts';

// Keys in the format of real ones, put together here so that no scanner reports them.
const key = (...parts: readonly string[]): string => parts.join('');
const body = 'a1B2c3D4e5F6g7H8i9J0k1L2';

describe('maskSecrets()', () => {
  const rows: readonly { name: string; text: string; sent?: readonly string[]; expected: string }[] = [
    { name: 'a key', text: `Incorrect API key: ${key('sk-', body)}.`, expected: 'Incorrect API key: ***.' },
    { name: 'a project key', text: key('sk-', 'proj-', body), expected: '***' },
    { name: 'a live key', text: key('sk_', 'live_', body), expected: '***' },
    { name: 'a token of a code host', text: key('ghp', '_', body), expected: '***' },
    { name: 'a token of a chat service', text: key('xoxb', '-1234-', body), expected: '***' },
    { name: 'a key of a cloud provider', text: key('AKIA', 'IOSFODNN7EXAMPLE'), expected: '***' },
    { name: 'a key of another cloud provider', text: key('AIza', body, body), expected: '***' },
    { name: 'a signed token', text: key('eyJhbGciOiJI', '.eyJzdWIiOiIx', '.c2lnbmF0dXJl'), expected: '***' },
    {
      name: 'a signed token after other letters',
      text: key('id=x-y_z-eyJhbGciOiJI', '.eyJzdWIiOiIx', '.c2lnbmF0dXJl'),
      expected: 'id=x-y_z-***',
    },
    {
      name: 'a signed token after a domain',
      text: key('a.example.eyJhbGciOiJI', '.eyJzdWIiOiIx', '.c2lnbmF0dXJl'),
      expected: 'a.example.***',
    },
    {
      name: 'the credentials of an authentication scheme',
      text: `Got "Bearer ${body}".`,
      expected: 'Got "Bearer ***".',
    },
    ...'sk- pk_ rk- xoxa- xoxb- xoxp- xoxr- ghp_ gho_ ghu_ ghs_ ghr_ glpat- hf_ gsk_ r8_'.split(' ').map((prefix) => ({
      name: `a key that begins with ${prefix}`,
      text: `(${key(prefix, body)})`,
      expected: '(***)',
    })),
    { name: 'a scheme in lower case', text: `authorization: bearer ${body}`, expected: 'authorization: bearer ***' },
    { name: 'a word after a scheme, outside of prose', text: 'Bearer certificate', expected: 'Bearer ***' },
    { name: 'several keys', text: `${key('sk-', body)} ${key('sk-', body)}`, expected: '*** ***' },
    {
      name: 'a value that was sent',
      text: 'no such key: my-own-value',
      sent: ['my-own-value'],
      expected: 'no such key: ***',
    },
    { name: 'a sent value of eight characters', text: 'bad abcdefgh', sent: ['abcdefgh'], expected: 'bad ***' },
    { name: 'a shorter one, which may be a word', text: 'bad abcdefg', sent: ['abcdefg'], expected: 'bad abcdefg' },
    {
      name: 'a sent value without its scheme',
      text: 'bad my-own-value',
      sent: ['Bearer my-own-value'],
      expected: 'bad ***',
    },
    {
      name: 'a sent value that is the beginning of another',
      text: 'bad secret-value-2',
      sent: ['secret-value', 'secret-value-2'],
      expected: 'bad ***',
    },
    {
      name: 'a sent value that contains a key',
      text: `bad tenant-9: ${key('sk-', body)}`,
      sent: [`tenant-9: ${key('sk-', body)}`],
      expected: 'bad ***',
    },
    ...['Token', 'ApiKey', 'token', 'AWS4-HMAC-SHA256'].map((scheme) => ({
      name: `a sent value without its scheme ${scheme}`,
      text: `invalid ${scheme}: 9f8e7d6c5b4a3928a1706f (and my-own-value)`,
      sent: [`${scheme} 9f8e7d6c5b4a3928a1706f`, `${scheme} my-own-value`],
      expected: `invalid ${scheme}: *** (and ***)`,
    })),
    {
      name: 'each part of a sent value that may be a key, and no word',
      text: 'no session 9f8e7d6c5b, no a1b2c3d4e5 of Signature with a darkmode and a username',
      sent: ['theme=darkmode; session=9f8e7d6c5b', 'Signature username="darkmode", signature="a1b2c3d4e5"'],
      expected: 'no session ***, no *** of Signature with a darkmode and a username',
    },
    ...Object.entries({
      'with slashes in JSON': String.raw`"ab\/cd+ef1234=="`,
      'in JSON inside of JSON': String.raw`{"a":"{\"b\":\"ab\\/cd+ef1234==\"}"}`,
      'in an address': '?k=ab%2Fcd%2Bef1234%3D%3D.',
      'in an address, in lower case': '?k=ab%2fcd%2bef1234%3d%3d.',
    }).map(([name, text]) => ({
      name: `a sent value ${name}`,
      text,
      sent: ['Token ab/cd+ef1234=='],
      expected: text.replace(/ab.*?(?:==|%3[Dd]%3[Dd])/, '***'),
    })),
    ...Object.entries({
      JSON: JSON.stringify,
      'JSON inside of JSON': (a: string) => JSON.stringify(JSON.stringify(a)),
    }).map(([name, write]) => ({
      name: `a sent value with quotes in ${name}`,
      text: write('a"b\\c-own-value'),
      sent: ['a"b\\c-own-value'],
      expected: write('***'),
    })),
    {
      name: 'only long sent values, not words',
      text: 'en is not supported',
      sent: ['en', 'json'],
      expected: 'en is not supported',
    },
    {
      name: 'nothing in ordinary words',
      text: 'The task-force asked for a risk-assessment-report',
      expected: 'The task-force asked for a risk-assessment-report',
    },
    { name: 'nothing in a sentence', text: 'Model gpt-4o was not found', expected: 'Model gpt-4o was not found' },
  ];
  for (const { name, text, sent, expected } of rows) {
    it(`masks ${name}`, () => {
      expect(maskSecrets(text, spellingsOfSecrets(sent ?? []))).to.equal(expected);
    });
  }
});

describe('maskSecretsIn()', () => {
  it('masks every text of a value, and leaves the rest unchanged', () => {
    const value = { a: ['my-own-token', 1, null], b: { c: true, d: 'fine' } };
    expect(maskSecretsIn(value, ['my-own-token'])).to.deep.equal({ a: ['***', 1, null], b: { c: true, d: 'fine' } });
    expect(value.a[0]).to.equal('my-own-token');
  });

  it('masks the names of fields', () => {
    expect(maskSecretsIn({ 'of my-own-token': [{ 'my-own-token': 1 }] }, ['my-own-token'])).to.deep.equal({
      'of ***': [{ '***': 1 }],
    });
  });

  it('is not cautious with prose', () => {
    expect(maskSecretsIn({ a: 'Bearer certificate' })).to.deep.equal({ a: 'Bearer ***' });
  });

  for (const [name, wrap] of [
    ['lists', (value: unknown): unknown => [value]],
    ['objects', (value: unknown): unknown => ({ value })],
  ] as const) {
    it(`searches 64 levels of ${name}`, () => {
      const nested = (levels: number): string => {
        let value: unknown = 'my-own-token';
        for (let level = 0; level < levels; level++) value = wrap(value);
        return JSON.stringify(maskSecretsIn(value, ['my-own-token']));
      };
      expect(nested(64)).to.include('***');
      expect(nested(65)).to.include('…');
    });
  }

  it('replaces values that are nested too deep, and handles every property name', () => {
    let deep: unknown = 'my-own-token';
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    expect(JSON.stringify(maskSecretsIn(deep, ['my-own-token']))).to.include('…');
    const odd = JSON.parse('{"__proto__":{"polluted":"my-own-token"}}') as object;
    expect(JSON.stringify(maskSecretsIn(odd, ['my-own-token']))).to.equal('{"__proto__":{"polluted":"***"}}');
  });
});

describe('maskKeys()', () => {
  const rows: readonly { text: string; expected: string }[] = [
    { text: 'A basic understanding of Bearer certificates', expected: 'A basic understanding of Bearer certificates' },
    { text: `A basic understanding, Basic ${body}`, expected: 'A basic understanding, Basic ***' },
    { text: key('Bearer sk-', 'abcdefghijklmnop'), expected: 'Bearer ***' },
  ];
  for (const { text, expected } of rows)
    it(text, () => {
      expect(maskKeysInProse(text)).to.equal(expected);
    });
});

describe('rule 65: masking takes time in proportion to the length of the text', () => {
  for (const piece of ['eyaaaaaaaaaaaaa-', 'ey-', 'basic understanding ', 'Bearer ', 'sk-', 'eyaaaaaaaaaa.', 'Basic\t'])
    it(JSON.stringify(piece), () => {
      const text = piece.repeat(1e6 / piece.length);
      expect(maskKeysInProse(text, ['some-value']).length).to.be.greaterThan(0);
      expect(maskSecrets(text, ['some-value']).length).to.be.greaterThan(0);
    });
});
