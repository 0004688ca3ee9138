import { documentBase } from '../../../src/parse-url.ts';
import { ChatError } from '../../../src/errors.ts';
import { expect } from '@open-wc/testing';
import { pageAddress, pageAddressOnServer, serverOrigin } from '../../../src/runtime/request/page-address.ts';

const NAMED = 'https://api.example/v1/chat';

describe('rule 50: an address that may receive the page’s headers', () => {
  const rows: readonly { address: string; named?: string; expected: boolean }[] = [
    { address: 'https://api.example/v1/cancel', expected: true },
    { address: 'https://api.example:443/', expected: true },
    { address: 'HTTPS://API.EXAMPLE/', expected: true },
    { address: 'wss://api.example/v1', expected: true },
    { address: 'https://api.example/v1', named: 'wss://api.example/socket', expected: true },
    { address: '/next', named: '/chat', expected: true },
    { address: 'http://api.example/v1/chat', expected: false },
    { address: 'ws://api.example/v1/chat', expected: false },
    { address: 'https://api.example:8443/v1/chat', expected: false },
    { address: 'https://api.example.evil.example/', expected: false },
    { address: 'https://evil.example/https://api.example/', expected: false },
    { address: 'https://api.example@evil.example/', expected: false },
    { address: 'https://api.example\\@evil.example/', expected: true },
    { address: '//evil.example/', expected: false },
    // Relative addresses belong to the page, because the request resolves them there.
    { address: '/v1/cancel', expected: false },
    { address: 'https://', expected: false },
    { address: '', expected: false },
  ];
  for (const { address, named = NAMED, expected } of rows) {
    it(`is ${expected ? '' : 'not '}${JSON.stringify(address)} when the page has named ${named}`, () => {
      expect(pageAddressOnServer(pageAddress(named), address) !== undefined).to.equal(expected);
    });
  }

  it('throws for a setting that is no address', () => {
    expect(() => pageAddress('https://')).to.throw(ChatError, 'The endpoint is not a URL.');
  });

  it('is resolved as the page’s links, also if an image replaces `document.baseURI`', () => {
    const image = document.createElement('img');
    image.setAttribute('name', 'baseURI');
    document.body.append(image);
    try {
      expect(pageAddress('/chat').href).to.equal(`${location.origin}/chat`);
      expect(documentBase()).to.equal(location.href);
    } finally {
      image.remove();
    }
  });

  it('a socket’s server is that of the corresponding page', () => {
    expect(serverOrigin(new URL('wss://api.example/x'))).to.equal('https://api.example');
    expect(serverOrigin(new URL('ws://api.example:81/x'))).to.equal('http://api.example:81');
  });
});
