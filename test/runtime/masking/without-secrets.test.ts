import { expect } from '@open-wc/testing';
import { withoutSecrets } from '../../../src/runtime/masking/without-secrets.ts';

describe('a message with the data of a form', () => {
  it('is kept without the passwords, and without the data model that contains them', () => {
    const data = {
      name: 'login',
      context: { user: 'ann', password: 'hunter2' },
      dataModel: { password: 'hunter2' },
      secrets: ['password'],
    };
    const kept = withoutSecrets({ metadata: { data, surface: 's' } });
    expect(kept.metadata).to.deep.equal({ data: { name: 'login', context: { user: 'ann' } }, surface: 's' });
  });

  it('that names no secrets is unchanged', () => {
    for (const data of [undefined, 'text', { context: { user: 'ann' } }, { secrets: 'password' }]) {
      const message = { metadata: { data } };
      expect(withoutSecrets(message)).to.equal(message);
    }
    const message = {};
    expect(withoutSecrets(message)).to.equal(message);
  });

  it('whose context is no object loses all of it', () => {
    const kept = withoutSecrets({ metadata: { data: { context: ['hunter2'], secrets: ['password'] } } });
    expect(JSON.stringify(kept)).not.to.contain('hunter2');
  });
});
