import { expect } from '@open-wc/testing';
import { scopeOf } from '../../../src/runtime/keeping/scope.ts';

const AT = 'https://api.example/agent';

describe('scopeOf', () => {
  const same: readonly { name: string; left: string; right: string }[] = [
    { name: 'a key in the query is no part of it', left: scopeOf(`${AT}?key=one`), right: scopeOf(`${AT}?key=two`) },
    { name: 'nor is a name and password', left: scopeOf('https://a:b@api.example/agent'), right: scopeOf(AT) },
    { name: 'the order of the query says nothing', left: scopeOf(`${AT}?a=1&b=2`), right: scopeOf(`${AT}?b=2&a=1`) },
    { name: 'no user is the empty one', left: scopeOf(AT, {}), right: scopeOf(AT, { user: '' }) },
  ];
  for (const { name, left, right } of same) it(name, () => expect(left).to.equal(right));

  const others: readonly { name: string; left: string; right: string }[] = [
    { name: 'another path', left: scopeOf(AT), right: scopeOf(`${AT}/two`) },
    { name: 'another agent in the query', left: scopeOf(`${AT}?agent=a`), right: scopeOf(`${AT}?agent=b`) },
    { name: 'another key', left: scopeOf(AT, { key: 'a' }), right: scopeOf(AT, { key: 'b' }) },
    { name: 'another user', left: scopeOf(AT, { user: 'a' }), right: scopeOf(AT, { user: 'b' }) },
    {
      name: 'a user whose name is made to look like a key',
      left: scopeOf(AT, { key: 'a', user: 'b' }),
      right: scopeOf(AT, { user: '","a' }),
    },
  ];
  for (const { name, left, right } of others) it(`is not that of ${name}`, () => expect(left).not.to.equal(right));

  it('holds no key', () => {
    expect(scopeOf(`${AT}?api_key=very-secret&v=sk-abcdefghijklmnop`)).not.to.match(/very-secret|abcdefghijklmnop/);
  });
});
