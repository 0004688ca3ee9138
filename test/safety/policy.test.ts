import { expect } from '@open-wc/testing';
import { trustedPolicy } from '../../src/safety/policy.ts';

const KEY = Symbol.for('agent-chat.policy');

describe('rule 27: the Trusted Types policy', () => {
  const scope = globalThis as { trustedTypes?: unknown; [KEY]?: unknown };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'trustedTypes');
  const created: string[] = [];
  let shared: unknown;

  beforeEach(() => {
    shared = scope[KEY];
    Reflect.deleteProperty(scope, KEY);
    created.length = 0;
    const createPolicy = (name: string, rules: object): object => {
      created.push(name);
      return rules;
    };
    Object.defineProperty(globalThis, 'trustedTypes', { configurable: true, value: { createPolicy } });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'trustedTypes');
    if (before) Object.defineProperty(globalThis, 'trustedTypes', before);
    if (shared === undefined) Reflect.deleteProperty(scope, KEY);
    else scope[KEY] = shared;
  });

  it('is created once under its documented name, and shared by all copies', () => {
    const first = trustedPolicy();
    // Another copy of the package finds it under the same key.
    expect(scope[KEY]).to.equal(first);
    expect(trustedPolicy()).to.equal(first);
    expect(created).to.deep.equal(['agent-chat']);
    expect(first?.createHTML('<b>a</b>')).to.equal('<b>a</b>');
  });

  it('is absent where the browser has no Trusted Types', () => {
    Reflect.deleteProperty(globalThis, 'trustedTypes');
    Object.defineProperty(globalThis, 'trustedTypes', { configurable: true, value: undefined });
    expect(trustedPolicy()).to.equal(undefined);
  });
});
