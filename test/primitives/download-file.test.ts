import { expect } from '@open-wc/testing';
import { downloadFile } from '../../src/primitives/download-file.ts';
import { savedBy } from '../support/saved.ts';

describe('downloadFile()', () => {
  for (const [mimeType, type] of [
    [undefined, 'application/octet-stream'],
    ['text/csv', 'text/csv'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['TEXT/HTML', 'application/octet-stream'],
  ] as const) {
    it(`saves ${mimeType ?? 'no type'} as ${type}`, async () => {
      const saved = await savedBy(() => {
        downloadFile('words', 'a.txt', mimeType);
      });
      expect(saved).to.deep.equal([{ name: 'a.txt', type, text: 'words' }]);
    });
  }

  it('accepts bytes as well', async () => {
    const saved = await savedBy(() => {
      downloadFile(Uint8Array.of(104, 105), 'a.bin');
    });
    expect(saved.map(({ text }) => text)).to.deep.equal(['hi']);
  });

  it('leaves no element in the page', async () => {
    const before = document.querySelectorAll('*').length;
    await savedBy(() => {
      downloadFile('words', 'a.txt');
    });
    expect(document.querySelectorAll('*').length).to.equal(before);
  });
});
