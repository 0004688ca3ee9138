/** How an attached file is sent in the protocols of models. */
import { expect } from '@open-wc/testing';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import { conversation, user } from '../support/messages.ts';
import { emptyTurn, requestOptions } from '../support/play-body.ts';

async function sent(protocol: string, attachment: object): Promise<string> {
  const adapter = await new ProtocolRegistry().get(protocol)?.load();
  const messages = conversation(user('Look', { attachments: [attachment as never] }));
  const request = await adapter?.request({ ...emptyTurn, text: 'Look', messages }, requestOptions);
  return JSON.stringify(request?.init.body);
}

const SOURCE = 'fn main() { println!("Grüße"); }';
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
/** Browsers know no type for most source code, and a wrong one for some. */
const types = ['application/rls-services+xml', 'text/markdown', '', undefined];

describe('a text file', () => {
  for (const protocol of ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'cohere']) {
    for (const mimeType of types) {
      it(`${protocol}: is sent as text, by its bytes and not by its type ${mimeType ?? 'of none'}`, async () => {
        const file = {
          kind: 'file',
          name: 'main.rs',
          data: base64(SOURCE),
          ...(mimeType !== undefined && { mimeType }),
        };
        const body = await sent(protocol, file);
        expect(body).to.contain('Grüße').and.to.contain('main.rs');
        expect(body).not.to.contain(base64(SOURCE)).and.not.to.contain('rls-services');
      });
    }
  }

  it('gemini: one that the browser takes for a video is sent as text', async () => {
    const body = await sent('gemini', {
      kind: 'video',
      mimeType: 'video/mp2t',
      name: 'app.ts',
      data: base64('let a = 1;'),
    });
    expect(body).to.contain('let a = 1;').and.not.to.contain('mp2t');
  });
});

describe('openai-chat, an unsupported file', () => {
  for (const { name, file } of [
    {
      name: 'a Word document',
      file: { kind: 'file', name: 'a.docx', mimeType: 'application/x', data: btoa('PK\0\0') },
    },
    { name: 'a PDF by its address', file: { kind: 'file', name: 'a.docx', url: 'https://a.example/a.pdf' } },
    { name: 'a video', file: { kind: 'video', name: 'a.docx', url: 'https://a.example/a.mp4' } },
    { name: 'audio by its address', file: { kind: 'audio', name: 'a.docx', url: 'https://a.example/a.mp3' } },
  ]) {
    it(`${name}: the model gets a note`, async () => {
      const body = await sent('openai-chat', file);
      expect(body).to.contain('Attached file, which can’t be shown to you').and.not.to.contain('file_data');
    });
  }

  it('a PDF has a name, which the API requires', async () => {
    const body = await sent('openai-chat', { kind: 'file', mimeType: 'application/pdf', data: 'CC' });
    expect(body).to.contain('{"filename":"file.pdf","file_data":"data:application/pdf;base64,CC"}');
  });
});

describe('openai-responses, audio and video', () => {
  for (const kind of ['audio', 'video']) {
    it(`${kind}: the model gets a note, since the API has no part for it`, async () => {
      const body = await sent('openai-responses', { kind, name: 'a', data: 'AAAA', mimeType: `${kind}/x` });
      expect(body).to.contain('Attached file').and.not.to.contain('input_audio');
    });
  }
});

describe('dify', () => {
  it('a text generator has the message in its inputs', async () => {
    const dify = await new ProtocolRegistry().get('dify')?.load();
    const turn = { ...emptyTurn, text: 'Hi', messages: conversation(user('Hi')) };
    const options = { ...requestOptions, url: 'https://a.example/v1/completion-messages' };
    const request = await dify?.request(turn, options);
    expect(request?.init.body).to.deep.include({ inputs: { query: 'Hi' } });
  });

  it('a file without text is sent with its name, since an empty query is refused', async () => {
    const dify = await new ProtocolRegistry().get('dify')?.load();
    const attachments = [{ kind: 'image', name: 'cat.png', url: 'https://a.example/cat.png' } as const];
    const messages = conversation({ role: 'user', attachments });
    const request = await dify?.request({ ...emptyTurn, messages }, requestOptions);
    expect(request?.init.body).to.deep.include({ query: 'cat.png' });
  });
});
