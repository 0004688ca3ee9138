/** An agent to check: it answers as a test says, and the check command runs against it. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { bodyOf, runCommand, serve, type AgentServer } from './command.ts';

export interface Result {
  readonly code: number;
  readonly findings: readonly { readonly id: string; readonly level: string; readonly text: string }[];
}

export interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Answer = (response: http.ServerResponse, request: Received) => void;

export const json = (delta: object, finish_reason: string | null = null): string =>
  JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
export const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${json(delta, finish_reason)}\n\n`;
export const END = chunk({}, 'stop') + 'data: [DONE]\n\n';
export const OPEN = { 'access-control-allow-origin': '*' };
export const SSE = { 'content-type': 'text/event-stream', ...OPEN };
export const answerText = (response: http.ServerResponse, text: string): void => {
  response.writeHead(200, SSE).end(chunk({ content: text }) + END);
};
export const refuse = (
  response: http.ServerResponse,
  status: number,
  body: string,
  headers: http.OutgoingHttpHeaders = OPEN,
): void => {
  response.writeHead(status, headers).end(body);
};

export class CheckedAgent {
  readonly server: AgentServer;
  readonly requests: Received[] = [];
  answer: Answer = (response) => {
    answerText(response, 'Hello there.');
  };

  private constructor(server: AgentServer) {
    this.server = server;
  }

  static async start(): Promise<CheckedAgent> {
    const agent: CheckedAgent = new CheckedAgent(
      await serve((request, response) => {
        void bodyOf(request).then((text) => {
          agent.#take(request, response, text);
        });
      }),
    );
    return agent;
  }

  #take({ method, url = '', headers }: http.IncomingMessage, response: http.ServerResponse, text: string): void {
    if (method === 'OPTIONS') {
      response.writeHead(204, { ...OPEN, 'access-control-allow-headers': '*' }).end();
      return;
    }
    const received = { path: url, headers, body: text === '' ? {} : (JSON.parse(text) as Received['body']) };
    this.requests.push(received);
    this.answer(response, received);
  }

  /** Checks a path of the agent, or a WebSocket. */
  async check(path: string, ...more: readonly string[]): Promise<Result> {
    const url = path.startsWith('ws:') ? path : this.server.origin + path;
    const { code, output, notes } = await runCommand(['check', url, '--json', ...more]);
    assert.equal(notes, '');
    return { code, ...(JSON.parse(output) as Omit<Result, 'code'>) };
  }
}

/** The level and text of the only line with this name. */
export function lineOf({ findings }: Result, id: string): string {
  const lines = findings.filter((finding) => finding.id === id).map(({ level, text }) => `${level}: ${text}`);
  assert.equal(lines.length, 1, JSON.stringify(findings));
  return lines[0] ?? '';
}
