import { expect } from '@open-wc/testing';
import { endpointWithoutSecrets } from '../../../src/runtime/endpoint-without-secrets.ts';
import { storageScope } from '../../../src/storage/settings/storage-scope.ts';

const AT = 'https://api.example/agent';

describe('storageScope()', () => {
  const same: readonly { name: string; left: string; right: string }[] = [
    {
      name: 'a key in the query is ignored',
      left: storageScope(`${AT}?key=one`),
      right: storageScope(`${AT}?key=two`),
    },
    { name: 'a fragment is ignored', left: storageScope(`${AT}#token=one`), right: storageScope(`${AT}#token=two`) },
    {
      name: 'a user name and password in the address are ignored',
      left: storageScope('https://a:b@api.example/agent'),
      right: storageScope(AT),
    },
    {
      name: 'the order of query parameters is ignored',
      left: storageScope(`${AT}?a=1&b=2`),
      right: storageScope(`${AT}?b=2&a=1`),
    },
    { name: 'no user equals an empty user', left: storageScope(AT, {}), right: storageScope(AT, { user: '' }) },
  ];
  for (const { name, left, right } of same) it(name, () => expect(left).to.equal(right));

  const others: readonly { name: string; left: string; right: string }[] = [
    { name: 'another path', left: storageScope(AT), right: storageScope(`${AT}/two`) },
    { name: 'another agent in the query', left: storageScope(`${AT}?agent=a`), right: storageScope(`${AT}?agent=b`) },
    { name: 'another key', left: storageScope(AT, { key: 'a' }), right: storageScope(AT, { key: 'b' }) },
    {
      name: 'a host that looks like a key',
      left: storageScope('https://sk-customer-support.api.example/agent'),
      right: storageScope('https://pk-customer-support.api.example/agent'),
    },
    {
      name: 'a part of the path that looks like a key',
      left: storageScope(`${AT}/sk-billing-assistant`),
      right: storageScope(`${AT}/pk-billing-assistant`),
    },
    {
      name: 'a value in the query that looks like a key',
      left: storageScope(`${AT}?app=sk-billing-assistant&b=1`),
      right: storageScope(`${AT}?app=pk-billing-assistant&b=1`),
    },
    {
      name: 'hosts whose names together look like a token',
      left: storageScope('https://ey-advisory-chat.first-company.azurewebsites.example'),
      right: storageScope('https://ey-customer-chat.other-company.azurewebsites.example'),
    },
    {
      name: 'another author in the query',
      left: storageScope(`${AT}?author=a`),
      right: storageScope(`${AT}?author=b`),
    },
    { name: 'another user', left: storageScope(AT, { user: 'a' }), right: storageScope(AT, { user: 'b' }) },
    {
      name: 'a user whose name is made to look like a key',
      left: storageScope(AT, { key: 'a', user: 'b' }),
      right: storageScope(AT, { user: '","a' }),
    },
  ];
  for (const { name, left, right } of others) it(`differs for ${name}`, () => expect(left).not.to.equal(right));

  it('is the same for an address that it has masked itself, as in an exported conversation', () => {
    for (const address of [
      `${AT}/sk-billing-assistant`,
      `${AT}/sk-billing-assistant?b=1`,
      `${AT}?app=sk-billing-assistant`,
    ]) {
      const masked = endpointWithoutSecrets(address);
      expect(masked).to.not.contain('sk-');
      expect(endpointWithoutSecrets(masked)).to.equal(masked);
    }
  });

  it('contains no key', () => {
    expect(storageScope(`${AT}?api_key=very-secret&v=sk-abcdefghijklmnop`)).not.to.match(
      /very-secret|abcdefghijklmnop/,
    );
  });
});
