import { expect } from '@open-wc/testing';
import { saveFile } from '../../src/primitives/save-file.ts';
import { savedBy } from '../support/saved.ts';

describe('saveFile', () => {
  for (const [given, type] of [
    [undefined, 'application/octet-stream'],
    ['text/csv', 'text/csv'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['TEXT/HTML', 'application/octet-stream'],
  ] as const) {
    it(`${given ?? 'no type'} is saved as ${type}`, async () => {
      const saved = await savedBy(() => {
        saveFile('words', 'a.txt', given);
      });
      expect(saved).to.deep.equal([{ name: 'a.txt', type, text: 'words' }]);
    });
  }

  it('takes bytes as well', async () => {
    const saved = await savedBy(() => {
      saveFile(Uint8Array.of(104, 105), 'a.bin');
    });
    expect(saved.map(({ text }) => text)).to.deep.equal(['hi']);
  });

  it('leaves nothing in the page', async () => {
    const before = document.querySelectorAll('*').length;
    await savedBy(() => {
      saveFile('words', 'a.txt');
    });
    expect(document.querySelectorAll('*').length).to.equal(before);
  });
});
