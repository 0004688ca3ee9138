import { expect } from '@open-wc/testing';
import { rememberSentSecrets } from '../../src/safety/remember-secrets.ts';
import { maskDisplayedText, sentSecrets } from '../../src/safety/sent-secrets.ts';

const send = (name: string, value: string): void => {
  rememberSentSecrets(new Headers({ [name]: value }), []);
};

describe('rule 13: the credentials that were sent', () => {
  const names = [
    ...['authorization', 'x-api-key', 'api-token', 'x-secret', 'x-cookie', 'x-session-id', 'x-passcode'],
    ...['x-user-credential', 'proxy-authorization', 'X-CSRF-TOKEN'],
  ];
  for (const name of names)
    it(`are those of ${name}`, () => {
      send(name, `value of ${name}`);
      expect(sentSecrets()).to.include(`value of ${name}`);
      expect(maskDisplayedText(`It was value of ${name}.`)).to.equal('It was ***.');
    });

  for (const name of ['content-type', 'accept', 'x-request-id', 'x-tenant'])
    it(`are not those of ${name}`, () => {
      send(name, `value of ${name}`);
      expect(sentSecrets()).not.to.include(`value of ${name}`);
    });

  for (const [index, [name, start]] of (
    [
      ['x-apikey', 'correcthorse'],
      ['access-token', 'correcthorse'],
      ['x-accesstoken', 'correcthorse'],
      ['password', 'correcthorse'],
      ['x-passwd', 'correcthorse'],
      ['x-passphrase', 'correcthorse'],
      ['x-pass', 'correcthorse'],
      ['x-auth', 'correcthorse'],
      ['x-auth-token', 'correcthorse'],
      ['x-auth-key', 'correcthorse'],
      ['x-basicauth', 'correcthorse'],
      ['x-authentication', 'correcthorse'],
      ['x-secret-1', 'correcthorse'],
      ['x-key.v2', 'correcthorse'],
      ['session', 'horse-12'],
      ['x-sessionid', 'horse-12'],
      ['x-tokenvalue', 'horse-13'],
      ['auth-ticket', 'horse-14'],
    ] as const
  ).entries())
    it(`are those of a name that is or ends with a word for a key: ${name}`, () => {
      const value = start + String.fromCharCode(97 + index);
      send(name, value);
      expect(maskDisplayedText(`It was ${value}.`)).to.equal('It was ***.');
    });

  for (const [name, value] of [
    ['x-passenger-id', '00012345'],
    ['x-passport-country', 'switzerland'],
    ['x-bypass-cache', 'revalidate'],
    ['x-compass', 'northwest-12'],
    ['x-auth-provider', 'microsoft'],
    ['x-auth-request-user', 'ann.miller-1990'],
    ['x-authenticated-user', 'ann.miller-1991'],
    ['x-author', 'ann.miller-1992'],
    ['x-session-kind', 'assistant'],
    ['x-session', 'interactive'],
    ['x-ticket-id', 'ticket-00012346'],
    ['x-keyword', 'insurance'],
  ] as const)
    it(`are not those of a name that only contains such a word: ${name}`, () => {
      send(name, value);
      expect(maskDisplayedText(`It was ${value}.`)).to.equal(`It was ${value}.`);
    });

  it('are the last four hundred', () => {
    send('x-api-key', 'the-first-value');
    for (let index = 0; index < 399; index++) send('x-api-key', `another-value-${String(index)}`);
    expect(sentSecrets()).to.have.length(400).and.to.include('the-first-value');
    // Sent again, it is the newest.
    send('x-api-key', 'the-first-value');
    send('x-api-key', 'the-last-value');
    expect(sentSecrets()).to.have.length(400).and.to.include.members(['the-first-value', 'the-last-value']);
    expect(sentSecrets()).not.to.include('another-value-0');
  });

  it('are masked where a text is cut', () => {
    send('authorization', 'Bearer my-own-sent-value');
    expect(maskDisplayedText(`${'x'.repeat(95)}my-own-sent-value`, 100)).to.equal(`${'x'.repeat(95)}***`);
  });
});
