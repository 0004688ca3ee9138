import { expect } from '@open-wc/testing';
import { mediaLimits } from '../../src/safety/media-limits.ts';
import { imageLoading, refuseMedia, type MediaSource } from '../../src/safety/media-policy.ts';

const base64 = (...bytes: readonly (number | string)[]): string =>
  btoa(bytes.map((part) => (typeof part === 'number' ? String.fromCharCode(part) : part)).join(''));

/** A big-endian number of four bytes. */
const long = (value: number): string =>
  String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const short = (value: number): string => String.fromCharCode(value & 255, value >>> 8);

const png = (width: number, height: number): string =>
  base64(0x89, 'PNG\r\n', 0x1a, '\n', long(13), 'IHDR', long(width), long(height), 8, 6, 0, 0, 0, long(0));
const gif = (width: number, height: number): string => base64('GIF89a', short(width), short(height), '\0'.repeat(20));
const jpeg = base64(0xff, 0xd8, 0xff, 0xe0, '\0'.repeat(40));
const webp = base64('RIFF', '\0'.repeat(4), 'WEBPVP8 ', '\0'.repeat(40));
const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

/** An image of a given number of bytes. */
const sized = (bytes: number): string => btoa(`${atob(png(1, 1))}${'\0'.repeat(bytes)}`.slice(0, bytes));

const image = (data: string, mimeType?: string): MediaSource => ({
  kind: 'image',
  data,
  ...(mimeType && { mimeType }),
});
const at = (url: string, kind: MediaSource['kind'] = 'image'): MediaSource => ({ kind, url });

describe('refuseMedia()', () => {
  const rows: readonly { name: string; media: MediaSource; expected: string | undefined }[] = [
    { name: 'a PNG', media: image(png(10, 10), 'image/png'), expected: undefined },
    { name: 'a JPEG', media: image(jpeg, 'image/jpeg'), expected: undefined },
    { name: 'a JPEG by the name of its files', media: image(jpeg, 'image/jpg'), expected: undefined },
    { name: 'the same as a data URL', media: at(`data:image/JPG;base64,${jpeg}`), expected: undefined },
    { name: 'a progressive JPEG', media: image(jpeg, 'image/pjpeg'), expected: undefined },
    { name: 'a PNG with the type of a JPG', media: image(png(10, 10), 'image/jpg'), expected: 'signature' },
    { name: 'a GIF', media: image(gif(10, 10), 'IMAGE/GIF'), expected: undefined },
    { name: 'a WebP', media: image(webp, 'image/webp'), expected: undefined },
    {
      name: 'a PNG that is broken after its header',
      media: image(`${webp.slice(0, 64)}…`, 'image/webp'),
      expected: undefined,
    },
    { name: 'a PNG as a data URL', media: at(`data:image/png;base64,${png(10, 10)}`), expected: undefined },
    { name: 'another type than declared', media: image(png(10, 10), 'image/jpeg'), expected: 'signature' },
    {
      name: 'HTML that is declared as PNG',
      media: image(btoa('<script>x</script>'), 'image/png'),
      expected: 'signature',
    },
    { name: 'SVG', media: image(svg, 'image/svg+xml'), expected: 'type' },
    { name: 'SVG that is declared as PNG', media: image(svg, 'image/png'), expected: 'signature' },
    { name: 'SVG as a data URL', media: at(`data:image/svg+xml;base64,${svg}`), expected: 'type' },
    { name: 'SVG as a data URL without base64', media: at('data:image/svg+xml,<svg/>'), expected: 'type' },
    {
      name: 'a PNG as a data URL without base64',
      media: at(`data:image/png,${png(10, 10)}`),
      expected: 'type',
    },
    {
      name: 'a PNG after white space',
      media: image(`${' '.repeat(100)}${png(10, 10)}`, 'image/png'),
      expected: undefined,
    },
    {
      name: 'a RIFF file that is no WebP',
      media: image(base64('RIFF', '\0'.repeat(4), 'AVI ', '\0'.repeat(40)), 'image/webp'),
      expected: 'signature',
    },
    { name: 'HTML as a data URL', media: at('data:text/html;base64,PGI+'), expected: 'type' },
    { name: 'no type', media: image(png(10, 10)), expected: 'type' },
    {
      name: 'too few bytes for any image, which the decoder rejects',
      media: image('AAAA', 'image/png'),
      expected: undefined,
    },
    {
      name: 'fewer bytes than the longest signature',
      media: image(btoa('1234567'), 'image/png'),
      expected: undefined,
    },
    {
      name: 'as many bytes, but another signature',
      media: image(btoa('12345678'), 'image/png'),
      expected: 'signature',
    },
    { name: 'base64 that is cut within a group', media: image('AAAAA', 'image/png'), expected: undefined },
    { name: 'a PNG that ends before its size', media: image(sized(12), 'image/png'), expected: undefined },
    {
      name: 'a PNG that ends after its size',
      media: image(btoa(atob(png(8000, 5001)).slice(0, 26)), 'image/png'),
      expected: 'pixels',
    },
    { name: 'invalid base64', media: image('%%%%', 'image/png'), expected: 'signature' },
    { name: 'no bytes', media: image('', 'image/png'), expected: 'signature' },
    { name: 'exactly the byte limit', media: image(sized(mediaLimits.imageBytes), 'image/png'), expected: undefined },
    {
      name: 'one byte above the limit',
      media: image(sized(mediaLimits.imageBytes + 1), 'image/png'),
      expected: 'size',
    },
    { name: 'exactly the pixel limit', media: image(png(8000, 5000), 'image/png'), expected: undefined },
    { name: 'more pixels', media: image(png(8000, 5001), 'image/png'), expected: 'pixels' },
    { name: 'far more pixels', media: image(png(0xffff_ffff, 0xffff_ffff), 'image/png'), expected: 'pixels' },
    { name: 'a GIF with exactly the pixel limit', media: image(gif(8000, 5000), 'image/gif'), expected: undefined },
    { name: 'a GIF with one row more', media: image(gif(8000, 5001), 'image/gif'), expected: 'pixels' },
    { name: 'a wide GIF', media: image(gif(65_535, 600), 'image/gif'), expected: undefined },
    { name: 'a high GIF', media: image(gif(600, 65_535), 'image/gif'), expected: undefined },
    { name: 'a GIF with more pixels', media: image(gif(65_535, 65_535), 'image/gif'), expected: 'pixels' },
    { name: 'a URL', media: at('https://a.example/a.png'), expected: undefined },
    { name: 'a relative URL', media: at('/a.png'), expected: undefined },
    { name: 'an incomplete URL', media: at('https:'), expected: 'scheme' },
    { name: 'a URL without a host', media: at('https://'), expected: 'scheme' },
    { name: 'a script URL', media: at('javascript:alert(1)'), expected: 'scheme' },
    { name: 'a script URL with a line end', media: at('java\nscript:alert(1)'), expected: 'scheme' },
    { name: 'a data URL after a blank', media: at(` data:image/svg+xml;base64,${svg}`), expected: 'scheme' },
    { name: 'a data URL with a line end', media: at(`da\nta:image/svg+xml;base64,${svg}`), expected: 'scheme' },
    { name: 'a blob URL', media: at('blob:https://a.example/x'), expected: 'scheme' },
    { name: 'a file URL', media: at('file:///x.png'), expected: 'scheme' },
    { name: 'audio at such a URL', media: at('javascript:alert(1)', 'audio'), expected: 'scheme' },
    { name: 'sound', media: { kind: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' }, expected: undefined },
    {
      name: 'audio with its codec',
      media: { kind: 'audio', data: 'AAAA', mimeType: 'audio/L16;rate=24000' },
      expected: undefined,
    },
    { name: 'audio as a data URL', media: at('data:audio/wav;base64,AAAA', 'audio'), expected: undefined },
    {
      name: 'HTML that is declared as audio',
      media: { kind: 'audio', data: 'AAAA', mimeType: 'text/html' },
      expected: 'type',
    },
    {
      name: 'markup as the MIME type',
      media: { kind: 'video', data: 'AAAA', mimeType: 'video/x" onload' },
      expected: 'type',
    },
    {
      name: 'another type that ends like audio',
      media: { kind: 'audio', data: 'AAAA', mimeType: 'text/audio/mpeg' },
      expected: 'type',
    },
    { name: 'audio without a type', media: { kind: 'audio', data: 'AAAA' }, expected: 'type' },
    { name: 'HTML as video', media: at('data:text/html,<b>', 'video'), expected: 'type' },
    { name: 'nothing', media: { kind: 'image' }, expected: 'empty' },
    { name: 'a file that stays on its server', media: { kind: 'file' }, expected: undefined },
  ];
  for (const { name, media, expected } of rows) {
    it(`${expected ? `blocks, because of its ${expected}` : 'allows'}: ${name}`, () => {
      expect(refuseMedia(media)).to.equal(expected);
    });
  }

  it('rule 6: never lets SVG through, even where a page lists it', () => {
    const limits = { ...mediaLimits, imageTypes: [...mediaLimits.imageTypes, 'image/svg+xml'] };
    expect(refuseMedia(image(svg, 'image/svg+xml'), limits)).to.equal('signature');
  });

  it('applies the limits of the page', () => {
    expect(refuseMedia(image(png(10, 10), 'image/png'), { ...mediaLimits, imageBytes: 10 })).to.equal('size');
    expect(refuseMedia(image(png(10, 10), 'image/png'), { ...mediaLimits, imagePixels: 99 })).to.equal('pixels');
    expect(refuseMedia(image(png(10, 10), 'image/png'), { ...mediaLimits, imageTypes: ['image/gif'] })).to.equal(
      'type',
    );
  });
});

describe('imageLoading()', () => {
  const page = { href: 'http://own.example/chat', origin: 'http://own.example' };
  const rows: readonly { name: string; src: string; hosts: string; expected: object }[] = [
    { name: 'a data URL', src: 'data:image/png;base64,AA', hosts: '', expected: { now: true } },
    { name: 'another host', src: 'https://a.example/x', hosts: '', expected: { now: false, host: 'a.example' } },
    {
      name: 'another host without a scheme',
      src: '//a.example/x',
      hosts: 'self',
      expected: { now: false, host: 'a.example' },
    },
    { name: 'a listed host', src: 'https://a.example/x', hosts: 'a.example', expected: { now: true } },
    { name: 'the page’s own host', src: '/logout', hosts: '', expected: { now: false, host: 'own.example' } },
    { name: 'the page’s own host, listed', src: '/a.png', hosts: 'self', expected: { now: true } },
    {
      name: 'another port, which is named',
      src: 'https://a.example:8443/x',
      hosts: 'b.example',
      expected: { now: false, host: 'a.example:8443' },
    },
    {
      name: 'a URL that contains another one',
      src: 'https://a.example/?data:,blob:x',
      hosts: '',
      expected: { now: false, host: 'a.example' },
    },
    { name: 'an invalid URL', src: 'https://', hosts: '*', expected: { now: false, host: '' } },
  ];
  for (const { name, src, hosts, expected } of rows) {
    it(name, () => {
      expect(imageLoading(src, hosts, page)).to.deep.equal(expected);
    });
  }

  it('rule 70: resolves relative URLs as the browser does, and takes only the page’s own origin for `self`', () => {
    const base = document.createElement('base');
    base.href = 'https://elsewhere.example/';
    document.head.append(base);
    try {
      expect(imageLoading('a.png', 'self')).to.deep.equal({ now: false, host: 'elsewhere.example' });
      expect(imageLoading(`${location.origin}/a.png`, 'self')).to.deep.equal({ now: true });
    } finally {
      base.remove();
    }
  });

  for (const hosts of ['self', '*', 'evil.example'])
    for (const src of ['//evil.example/share/a.png', 'file://evil.example/a.png', '../etc/a.png', 'a.png'])
      it(`rule 70: loads no file on a page that is a file, with ${hosts} in image-hosts: ${src}`, () => {
        const file = { href: 'file:///home/user/page.html', origin: 'null' };
        expect(imageLoading(src, hosts, file).now).to.equal(false);
        expect(refuseMedia({ kind: 'image', url: src }, mediaLimits, file.href)).to.equal('scheme');
        expect(imageLoading('https://evil.example/a.png', hosts, file).now).to.equal(hosts !== 'self');
      });

  for (const [hosts, src, isNow] of [
    ['bücher.example', 'https://bücher.example/a', true],
    ['BÜCHER.example', 'https://xn--bcher-kva.example/a', true],
    ['a.example:443', 'https://a.example/a', true],
    ['a.example:443', 'http://a.example/a', false],
    ['a.example:443', 'https://a.example:8443/a', false],
    ['a.example', 'https://a.example:8443/a', true],
    ['*.a.example:8443', 'https://b.a.example:8443/a', true],
    ['*.a.example:8443', 'https://b.a.example/a', false],
    ['*.a.example', 'https://a.example/a', false],
    ['*.a.example', 'https://ba.example/a', false],
    ['*.', 'https://a.example/a', false],
    ['a.example/path', 'https://a.example/path', false],
    ['user@a.example', 'https://a.example/a', false],
    ['https://a.example', 'https://https/a', false],
    ['a.example?', 'https://a.example/a', false],
  ] as const)
    it(`image-hosts="${hosts}" ${isNow ? 'matches' : 'does not match'} ${src}`, () => {
      expect(imageLoading(src, hosts, page).now).to.equal(isNow);
    });

  it('does not throw on a page without a URL of its own', () => {
    const srcdoc = { href: 'about:srcdoc', origin: 'null' };
    expect(imageLoading('/a.png', '*', srcdoc)).to.deep.equal({ now: false, host: '' });
  });
});
