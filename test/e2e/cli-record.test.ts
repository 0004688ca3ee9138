/** `record`, `replay` and mappings of the command line tool. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { replay, type Recording } from '../../src/testing.ts';
import { bodyOf, runCommand, serve, start, type AgentServer } from './support/command.ts';

const KEY = 'a-key-of-the-user-1234';
const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const END = chunk({}, 'stop') + 'data: [DONE]\n\n';
const CALL = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'clock', arguments: '{}' } }] });
const SSE = { 'content-type': 'text/event-stream' };

/** More frames than detection examines, and no known name. */
const OWN = [
  ...Array.from({ length: 20 }, (_, index) => ({ kind: 'speak', xqz: { zzy: `${String(index)} ` } })),
  { kind: 'over' },
];

describe('recordings on the command line', () => {
  let agent: AgentServer;
  let folder: string;
  let file: string;
  const requests: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-chat-'));
    file = join(folder, 'one.json');
    agent = await serve((request, response) => {
      void (async () => {
        const body = await bodyOf(request);
        const { url } = request;
        if (request.method === 'POST') requests.push(`${url ?? ''} ${body}`);
        if (url === '/agent')
          response.writeHead(200, SSE).end(chunk({ content: `Hello, ${KEY}. ` }) + chunk({ content: 'Bye.' }) + END);
        else if (url === '/reworded') response.writeHead(200, SSE).end(chunk({ content: 'Good day.' }) + END);
        else if (url === '/changed')
          response.writeHead(200, SSE).end(CALL + chunk({}, 'tool_calls') + 'data: [DONE]\n\n');
        else if (url === '/own')
          response
            .writeHead(200, { 'content-type': 'application/x-ndjson' })
            .end(OWN.map((value) => `${JSON.stringify(value)}\n`).join(''));
        else response.writeHead(500).end('Boom');
      })();
    });
    const { code, output, notes } = await runCommand(
      ['record', `${agent.origin}/agent`, 'What time is it?', '-o', file, '-H', 'authorization: Bearer $TOKEN'],
      { TOKEN: KEY },
    );
    assert.equal(code, 0, notes);
    assert.match(output, /one\.json: \d frames in openai-chat/);
  });
  after(async () => {
    await agent.close();
    await rm(folder, { recursive: true });
  });

  it('contain the request and the reply, and no key', async () => {
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, new RegExp(KEY));
    const recording = JSON.parse(text) as Recording;
    assert.equal(recording.protocol, 'openai-chat');
    const [question, reply] = recording.messages.map(({ blocks }) =>
      blocks.map((block) => ('content' in block ? block.content : '')).join(''),
    );
    assert.deepEqual([question, reply], ['What time is it?', 'Hello, ***. Bye.']);
    assert.match(requests[0] ?? '', /What time is it\?/);
  });

  it('can be replayed in a page’s test', async () => {
    const { fetch: answer } = await replay(JSON.parse(await readFile(file, 'utf8')) as Recording);
    assert.match(await (await answer('anything')).text(), /Bye/);
  });

  it('are replayed with the same result', async () => {
    const { code, output } = await runCommand(['replay', file]);
    assert.equal(code, 0, output);
    assert.match(
      output,
      /openai-chat: content \(complete\)[\s\S]*Hello, \*\*\*\. Bye\.[\s\S]*✓ read as it was recorded/,
    );
  });

  it('are sent again: other text is no difference', async () => {
    const { code, output } = await runCommand(['replay', file, '--against', `${agent.origin}/reworded`]);
    assert.equal(code, 0, output);
    assert.match(requests.at(-1) ?? '', /^\/reworded .*What time is it\?/);
  });

  it('are sent again: other tools and another end are differences', async () => {
    const { code, output } = await runCommand(['replay', file, '--against', `${agent.origin}/changed`, '--json']);
    assert.equal(code, 1);
    const [result] = JSON.parse(output) as { differences: readonly string[] }[];
    assert.deepEqual(result?.differences, [
      'blocks: was content, is tool_call',
      'tools: was none, is clock',
      'finish: was complete, is tool_use',
    ]);
  });

  it('are sent again: a server that refuses is a difference', async () => {
    const { code, output } = await runCommand(['replay', file, '--against', `${agent.origin}/broken`]);
    assert.equal(code, 1);
    assert.match(output, /✗ protocol: was openai-chat, is refused with 500/);
  });

  it('are not written without an answer, and another file is refused', async () => {
    assert.equal((await runCommand(['record', `${agent.origin}/broken`, 'Hi'])).code, 1);
    const other = join(folder, 'other.json');
    await writeFile(other, '{"a":1}');
    const { code, notes } = await runCommand(['replay', other]);
    assert.equal(code, 2);
    assert.match(notes, /not a recording of the stream inspector/);
  });

  it('an unknown stream gets a proposed mapping, which reads it', async () => {
    const { output } = await runCommand(['check', `${agent.origin}/own`, '--json']);
    const { findings } = JSON.parse(output) as { findings: readonly { id: string; remedy?: string }[] };
    const remedy = findings.find(({ id }) => id === 'unsupported')?.remedy ?? '';
    const [, mapping = ''] = /Use this mapping: (.*)$/.exec(remedy) ?? [];
    assert.deepEqual((JSON.parse(mapping) as { events: unknown }).events, [{ text: 'xqz.zzy' }]);
    const described = join(folder, 'mapping.json');
    await writeFile(described, mapping);
    const own = join(folder, 'own.json');
    const { code, notes } = await runCommand([
      'record',
      `${agent.origin}/own`,
      'Hi',
      '--mapping',
      described,
      '-o',
      own,
    ]);
    assert.equal(code, 0, notes);
    const { messages, protocol } = JSON.parse(await readFile(own, 'utf8')) as Recording;
    assert.equal(protocol, 'my-agent');
    const [block] = messages[1]?.blocks ?? [];
    assert.match(block && 'content' in block ? block.content : '', /^0 1 2 .* 19 $/);
  });

  it('an invalid mapping is a usage error', async () => {
    const wrong = join(folder, 'wrong.json');
    await writeFile(wrong, '{"id":"x"}');
    const command = start([`${agent.origin}/own`, '--no-open', '--mapping', wrong]);
    await assert.rejects(command.until(/^Open /m));
    assert.match(command.output(), /wrong\.json: This protocol's "request" is invalid/);
  });
});
