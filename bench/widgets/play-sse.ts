import type { Sink } from '../contestants/contestant.ts';

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

/** A minimal reader of chat completions: it parses each `data` line and passes on its text. */
export async function playSse(url: string, sink: Sink): Promise<void> {
  const response = await fetch(url, { method: 'POST' });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const lines = (buffer + read.value).split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { choices } = JSON.parse(line.slice(6)) as Chunk;
      const text = choices[0]?.delta.content;
      if (text) sink.write(text);
    }
  }
  await sink.end();
}
