import { expect } from '@open-wc/testing';
import {
  isAnotherOwner,
  storageLocation,
  type PersistenceSettings,
} from '../../../src/storage/settings/storage-settings.ts';

const settings = (more: Partial<PersistenceSettings> = {}): PersistenceSettings => ({
  persist: 'local',
  endpoint: '/agent',
  storage: { user: 'ann' },
  threadId: undefined,
  redact: undefined,
  ...more,
});
const cases: readonly {
  name: string;
  from?: Partial<PersistenceSettings>;
  to: Partial<PersistenceSettings>;
  expected: boolean;
}[] = [
  { name: 'another user', to: { storage: { user: 'bob' } }, expected: true },
  { name: 'no user any more', to: { storage: undefined }, expected: true },
  { name: 'another key', to: { storage: { user: 'ann', key: 'k' } }, expected: true },
  { name: 'another user, with nothing stored', to: { persist: 'none', storage: { user: 'bob' } }, expected: true },
  { name: 'another endpoint', to: { endpoint: '/other' }, expected: true },
  {
    name: 'another endpoint, with nothing stored',
    from: { persist: 'none' },
    to: { persist: 'none', endpoint: '/other' },
    expected: false,
  },
  { name: 'storage switched off', to: { persist: 'none' }, expected: false },
  { name: 'storage switched on', from: { persist: 'none' }, to: {}, expected: false },
  { name: 'another backend', to: { persist: 'session' }, expected: false },
  { name: 'another retention', to: { storage: { user: 'ann', retention: 1 } }, expected: false },
];

describe('isAnotherOwner()', () => {
  for (const { name, from = {}, to, expected } of cases) {
    it(`${expected ? 'true' : 'false'} for ${name}`, () => {
      const [before, now] = [from, to].map((more) => storageLocation(settings(more)).owner);
      expect(before && now && isAnotherOwner(before, now)).to.equal(expected);
    });
  }
});
