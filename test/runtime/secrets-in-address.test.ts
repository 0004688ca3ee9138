import { expect } from '@open-wc/testing';
import { endpointWithoutSecrets, secretsInAddress } from '../../src/runtime/endpoint-without-secrets.ts';
import type { OutgoingRequest } from '../../src/runtime/chat-settings.ts';
import { makeChat } from './support/make-chat.ts';

describe('rule 13: the credentials in an address', () => {
  const names = [
    'key',
    'api_key',
    'apiKey',
    'token',
    'access_token',
    'client_secret',
    'auth',
    'password',
    'sig',
    'code',
    'ticket',
    'jwt',
    'pwd',
    'credential',
    'authorization',
  ];
  for (const name of names)
    it(`are those of ${name}, decoded and encoded`, () => {
      const url = new URL(`wss://agent.example/?&first=1&${name}=long%2Benough%20as%20a%20key`);
      expect(secretsInAddress(url)).to.deep.equal(['long+enough as a key', 'long%2Benough%20as%20a%20key']);
    });

  it('are not in the key under which a conversation is stored', () => {
    const query = names.map((name) => `${name}=a-key-of-2026`).join('&');
    expect(endpointWithoutSecrets(`https://agent.example/chat?${query}&team=7&author=ann`)).to.equal(
      'https://agent.example/chat?author=ann&team=7',
    );
  });

  for (const parameter of ['keyword=insurance', 'code=javascript', 'lang=a-long-enough-language', 'token='])
    it(`are not those of ${parameter}`, () => {
      expect(secretsInAddress(new URL(`https://agent.example/?${parameter}`))).to.deep.equal([]);
    });

  it('are also short ones with a digit, as in a header', () => {
    const url = new URL('https://agent.example/?key=abc12345&token=a1&code=version&lang=german-2');
    expect(secretsInAddress(url)).to.deep.equal(['abc12345', 'abc12345']);
  });

  it('include the password', () => {
    const url = new URL('wss://user:our-long-password@agent.example/');
    expect(secretsInAddress(url)).to.include('our-long-password');
  });
});

describe('rule 13: an address that is no URL', () => {
  const address = 'https://agent.example:99999/chat?api_key=our-long-secret-key';
  for (const { name, settings } of [
    { name: 'an endpoint', settings: { endpoint: address } },
    {
      name: 'an address of transformRequest',
      settings: {
        transformRequest: (request: OutgoingRequest) => ({ ...request, url: address }),
      },
    },
  ]) {
    it(`shows no key in the error: ${name}`, async () => {
      const { chat, told } = makeChat([], settings);
      await chat.send('Hi');
      expect(told.errors.map(({ message }) => message).join()).to.contain('is not a URL');
      const { cause: _cause, ...shown } = told.errors[0] ?? {};
      expect(JSON.stringify([chat.messages, shown])).not.to.contain('our-long-secret-key');
    });
  }
});
