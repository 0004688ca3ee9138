import { expect } from '@open-wc/testing';
import { Attachments, type AttachSettings, type Upload } from '../../../src/runtime/attachments/attachments.ts';
import { prepareImage } from '../../../src/runtime/attachments/prepare-image.ts';
import { defaultLimits } from '../../../src/runtime/limits.ts';

const text = (words: string, name = 'notes.txt'): File => new File([words], name, { type: 'text/plain' });

function draft(settings: Partial<AttachSettings> = {}): Attachments {
  return new Attachments(
    () => ({ accept: '*', limits: defaultLimits, ...settings }),
    () => undefined,
  );
}

async function photo(width: number, height: number, type = 'image/jpeg', name = 'photo.jpg'): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context?.fillRect(0, 0, width / 2, height);
  return new File([await canvas.convertToBlob({ type })], name, { type });
}

/**
 * Metadata that a camera writes before the image data of a photo: here a description. Source: Exif 2.32, sections 4.5
 * and 4.6.
 */
async function withCameraFacts(file: File): Promise<File> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const words = new TextEncoder().encode('SECRET PLACE\0');
  const description = [0x01, 0x0e, 0, 2, 0, 0, 0, words.length, 0, 0, 0, 26];
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, ...description, 0, 0, 0, 0, ...words];
  const facts = [...new TextEncoder().encode('Exif\0\0'), ...tiff];
  const segment = new Uint8Array([0xff, 0xe1, 0, facts.length + 2, ...facts]);
  // One part, like a file from a disk: Firefox can't decode a file that was assembled from several parts.
  const whole = await new Blob([bytes.slice(0, 2), segment, bytes.slice(2)]).arrayBuffer();
  return new File([whole], file.name, { type: file.type });
}

/** A photo of 8 × 8 pixels with the description `SECRET PLACE`. Browsers can read this format, but not write it. */
const AVIF = [
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAEsbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA',
  'AAAAAAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAGGAAAAJQACAAAAAQAAAVQAAAAyAAAAQWlpbmYAAAAAAAIA',
  'AAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAABlpbmZlAgAAAAACAABFeGlmRXhpZgAAAAAaaXJlZgAAAAAAAAAOY2RzYwACAAEA',
  'AQAAAGppcHJwAAAAS2lwY28AAAAUaXNwZQAAAAAAAAAIAAAACAAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EADAAAAAATY29scm5j',
  'bHgAAQANAAaAAAAAF2lwbWEAAAAAAAAAAQABBAECgwQAAABfbWRhdAAAAAZFeGlmAABNTQAqAAAACAABAQ4AAgAAAA0AAAAaAAAA',
  'AFNFQ1JFVCBQTEFDRQAAEgAKCBgIv2iAhoNCMhccR4eF3dNNNMLAAACQNY48fr4Mt2gmSg==',
].join('');

/** Metadata after the image data of a PNG, which browsers do not check there. */
const withPlace = async (file: File): Promise<Blob> => new Blob([await new Blob([file, 'SECRET PLACE']).arrayBuffer()]);

const sizeOf = async (data: string, type: string): Promise<readonly [number, number]> => {
  const blob = await (await fetch(`data:${type};base64,${data}`)).blob();
  const { width, height } = await createImageBitmap(blob);
  return [width, height];
};

const reasons = (files: Attachments): readonly string[] => files.refused.map(({ reason }) => reason);

describe('the files of a draft', () => {
  it('are sent inline, with their names and sizes, and leave the draft', async () => {
    const files = draft();
    await files.add([text('Hello')]);
    expect(files.ready).to.equal(true);
    expect(files.take().attachments).to.deep.equal([
      { kind: 'file', name: 'notes.txt', size: 5, mimeType: 'text/plain', data: btoa('Hello') },
    ]);
    expect(files.files).to.deep.equal([]);
  });

  it('return to the draft before newer ones when sending fails', async () => {
    const files = draft();
    await files.add([text('a', 'a.txt')]);
    const { restoreDraft } = files.take();
    await files.add([text('b', 'b.txt')]);
    restoreDraft();
    expect(files.files.map(({ name }) => name)).to.deep.equal(['a.txt', 'b.txt']);
  });

  it('are refused if their type is wrong, or if they are too large, empty or too many; the others are attached', async () => {
    const limits = { ...defaultLimits, attachments: 2, attachmentBytes: { 'text/*': 3, '*': 100 } };
    const files = draft({ accept: 'text/*', limits });
    const wrong = new File(['x'], 'a.exe', { type: 'application/x-dos' });
    await files.add([text('four'), wrong, text(''), text('a'), text('b'), text('c', 'c.txt')]);
    expect(files.refused).to.deep.equal([
      { name: 'notes.txt', reason: 'size', limit: 3 },
      { name: 'a.exe', reason: 'type' },
      { name: 'notes.txt', reason: 'empty' },
      { name: 'c.txt', reason: 'count', limit: 2 },
    ]);
    expect(files.ready).to.equal(true);
    expect(files.files.length).to.equal(2);
    await files.add([]);
    expect(files.refused).to.deep.equal([]);
  });

  it('of 500 MB are refused by their size, without being read', async () => {
    const file = text('x', 'huge.txt');
    const read = (): never => {
      throw new Error('The file was read.');
    };
    Object.defineProperty(file, 'size', { value: 500_000_000 });
    Object.assign(file, { arrayBuffer: read, bytes: read, slice: read, stream: read, text: read });
    const files = draft();
    await files.add([file]);
    expect([files.refused, files.files]).to.deep.equal([
      [{ name: 'huge.txt', reason: 'size', limit: defaultLimits.attachmentBytes }],
      [],
    ]);
  });

  it('a photo is scaled down before its size is checked, and loses the camera’s metadata', async () => {
    const files = draft({ limits: { ...defaultLimits, photoEdge: 100, attachmentBytes: 20_000 } });
    const taken = await withCameraFacts(await photo(400, 200));
    expect(await taken.text()).to.contain('SECRET PLACE');
    await files.add([taken]);
    const [attachment] = files.take().attachments;
    expect(attachment).to.include({ kind: 'image', name: 'photo.jpg', mimeType: 'image/jpeg' });
    expect(await sizeOf(attachment?.data ?? '', 'image/jpeg')).to.deep.equal([100, 50]);
    expect(atob(attachment?.data ?? '')).not.to.contain('SECRET PLACE');
  });

  for (const type of ['image/avif', 'image/apng'])
    it(`rule 123: a photo loses the camera’s metadata, also as ${type}`, async () => {
      const files = draft();
      const taken =
        type === 'image/avif'
          ? new File([Uint8Array.from(atob(AVIF), (letter) => letter.charCodeAt(0))], 'photo.avif', { type })
          : new File([await withPlace(await photo(8, 8, 'image/png'))], 'photo.apng', { type });
      expect(await taken.text()).to.contain('SECRET PLACE');
      await files.add([taken]);
      const [attachment] = files.take().attachments;
      expect(attachment?.kind).to.equal('image');
      expect(attachment?.mimeType).to.match(type === 'image/avif' ? /^image\/(?:webp|png)$/ : /^image\/png$/);
      expect(await sizeOf(attachment?.data ?? '', attachment?.mimeType ?? '')).to.deep.equal([8, 8]);
      expect(atob(attachment?.data ?? '')).not.to.contain('SECRET PLACE');
    });

  for (const [type, name] of [
    ['', 'photo.jpg'],
    ['', 'photo'],
    ['application/octet-stream', 'photo.jpg'],
    ['image/gif', 'photo.gif'],
    ['image/jpeg;charset=x', 'photo.jpg'],
    ['text/plain', 'photo.txt'],
  ] as const)
    for (const isUploaded of [true, false])
      it(`rule 123: a photo loses the camera’s metadata, also as ${name} of the type ${type || 'none'}${isUploaded ? ', in an upload' : ''}`, async () => {
        const jpeg = await withCameraFacts(await photo(8, 8));
        const sent: File[] = [];
        const upload: Upload = (file) => {
          sent.push(file);
          return Promise.resolve({ kind: 'image', url: 'https://files.example/1' });
        };
        const files = draft(isUploaded ? { upload } : {});
        await files.add([new File([jpeg], name, { type })]);
        const [attachment] = files.take().attachments;
        const bytes = isUploaded ? await sent[0]?.text() : atob(attachment?.data ?? '');
        expect(bytes).to.match(/JFIF/);
        expect(bytes).not.to.contain('SECRET PLACE');
        expect([attachment?.kind, attachment?.mimeType]).to.deep.equal(['image', 'image/jpeg']);
      });

  it('rule 123: a file that only claims to be of a type is sent unchanged if it is no photo', async () => {
    const files = draft();
    await files.add([new File(['GIF89a'], 'a.gif', { type: 'image/gif' }), new File(['RIFF'], 'b', { type: '' })]);
    expect(files.take().attachments.map(({ data = '' }) => atob(data))).to.deep.equal(['GIF89a', 'RIFF']);
  });

  it('a small photo keeps its dimensions', async () => {
    const files = draft();
    await files.add([await photo(30, 20, 'image/png', 'small.png')]);
    const [attachment] = files.take().attachments;
    expect(await sizeOf(attachment?.data ?? '', 'image/png')).to.deep.equal([30, 20]);
  });

  it('a screenshot that is too large as PNG becomes a JPEG, and one that is small enough stays a PNG', async () => {
    const noise = new OffscreenCanvas(400, 400);
    const context = noise.getContext('2d')!;
    const { data } = context.getImageData(0, 0, 400, 400);
    let random = 1;
    // Slight noise takes much room in a PNG, and little in a JPEG.
    for (let at = 0; at < data.length; at++) {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      data[at] = at % 4 === 3 ? 255 : 100 + (random >>> 29);
    }
    context.putImageData(new ImageData(data, 400, 400), 0, 0);
    const screenshot = new File([await noise.convertToBlob({ type: 'image/png' })], 'shot.png', { type: 'image/png' });
    for (const [maxSize, name, type] of [
      [screenshot.size * 2, 'shot.png', 'image/png'],
      [screenshot.size - 1, 'shot.jpg', 'image/jpeg'],
    ] as const) {
      const files = draft({ limits: { ...defaultLimits, attachmentBytes: maxSize } });
      await files.add([screenshot]);
      const [sent] = files.take().attachments;
      expect([sent?.name, sent?.mimeType]).to.deep.equal([name, type]);
    }
  });

  it('a transparent PNG that becomes a JPEG is white up to its edges', async () => {
    const canvas = new OffscreenCanvas(24, 24);
    canvas.getContext('2d');
    const file = new File([await canvas.convertToBlob({ type: 'image/png' })], 'a.png', { type: 'image/png' });
    const prepared = await prepareImage(file, 'image/png', { edge: 100, maxSize: 1 });
    expect(prepared.file.type).to.equal('image/jpeg');
    const context = canvas.getContext('2d')!;
    context.drawImage(await createImageBitmap(prepared.file), 0, 0);
    expect(Math.min(...context.getImageData(0, 0, 24, 24).data)).to.be.above(250);
  });

  it('a photo that the browser can’t decode is reported before anything is sent', async () => {
    const files = draft();
    await files.add([
      new File(['not a picture'], 'a.heic', { type: 'image/heic' }),
      new File(['not a picture'], 'a.png', { type: 'image/png' }),
    ]);
    // Both are decoded at the same time.
    expect(reasons(files)).to.have.members(['photo', 'unreadable']);
  });

  it('are uploaded to the page’s storage if it has one, with progress', async () => {
    const seen: (number | undefined)[] = [];
    const upload: Upload = (file, { onProgress }) => {
      onProgress(0.5);
      seen.push(files.files[0]?.progress);
      return Promise.resolve({ kind: 'file', url: `https://files.example/${file.name}` });
    };
    const files = draft({ upload });
    await files.add([text('Hello')]);
    expect(seen).to.deep.equal([0.5]);
    expect(files.take().attachments).to.deep.equal([
      { kind: 'file', name: 'notes.txt', size: 5, mimeType: 'text/plain', url: 'https://files.example/notes.txt' },
    ]);
  });

  it('a failed upload can be retried', async () => {
    let tries = 0;
    const upload: Upload = () =>
      ++tries === 1
        ? Promise.reject(new Error('500'))
        : Promise.resolve({ kind: 'file', url: 'https://files.example/1' });
    const files = draft({ upload });
    await files.add([text('Hello')]);
    expect(files.files[0]?.problem).to.equal('upload');
    await files.retry(files.files[0]?.id ?? '');
    expect(files.ready).to.equal(true);
    expect(files.files[0]?.problem).to.equal(undefined);
  });

  it('removing a file aborts its upload', async () => {
    const stopped = Promise.withResolvers<boolean>();
    const upload: Upload = (_file, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.resolve(true);
          reject(new DOMException('Stopped', 'AbortError'));
        });
        queueMicrotask(() => {
          files.remove(files.files[0]?.id ?? '');
        });
      });
    const files = draft({ upload });
    await files.add([text('Hello')]);
    expect(await stopped.promise).to.equal(true);
    expect(files.files).to.deep.equal([]);
  });

  it('a photo that is removed while it is scaled down is not uploaded', async () => {
    const uploaded: string[] = [];
    const upload: Upload = ({ name }) => {
      uploaded.push(name);
      return Promise.resolve({ kind: 'image', url: 'https://files.example/1' });
    };
    const files = draft({ upload });
    for (const leave of [
      () => {
        files.remove(files.files[0]?.id ?? '');
      },
      () => {
        files.clear();
      },
    ]) {
      const added = files.add([await photo(40, 20)]);
      expect(files.files[0]?.status).to.equal('preparing');
      leave();
      await added;
    }
    expect([uploaded, files.files]).to.deep.equal([[], []]);
  });

  it('fail when their upload is aborted, also while a photo is scaled down, and can be retried', async () => {
    const uploaded: string[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const upload: Upload = async (file, { onProgress }) => {
      uploaded.push(file.name);
      await promise;
      onProgress(1);
      return { kind: 'file', url: 'https://files.example/1' };
    };
    const files = draft({ upload });
    const adding = files.add([text('Hello'), await photo(8, 8)]);
    files.abort();
    resolve(undefined);
    await adding;
    expect([uploaded, files.files.map(({ status }) => status), files.busy]).to.deep.equal([
      [],
      ['failed', 'failed'],
      false,
    ]);
    for (const { id } of files.files) await files.retry(id);
    expect([uploaded, files.ready]).to.deep.equal([['notes.txt', 'photo.jpg'], true]);
  });

  it('do not return to a draft that was cleared meanwhile', async () => {
    const files = draft();
    await files.add([text('a', 'a.txt')]);
    const { restoreDraft } = files.take();
    files.clear();
    restoreDraft();
    expect(files.files).to.deep.equal([]);
  });
});
