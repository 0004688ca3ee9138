/** Turns, and a server for preparatory requests. */
import { ChatError } from '../../../src/errors.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { Answer, RequestOptions, SideAnswer, Turn, WireRequest } from '../../../src/protocols/core/adapter.ts';
import { assistant, conversation } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { replyMetadata } from './streams.ts';

export const answer = (more: Partial<Answer>): Answer => ({
  decision: 'answered',
  blockId: 'm2.3',
  actionType: 'question',
  ...more,
});
export const replied = (taskState: string, more: object = {}): MessageInput =>
  assistant('x', { metadata: replyMetadata(taskState, { version: '0.3', ...more }) });
export const turnOf = (messages: readonly MessageInput[], more: Partial<Turn> = {}): Turn => ({
  ...emptyTurn,
  text: 'hi',
  messages: conversation(...messages),
  ...more,
});

/** A server that answers preparatory requests, by their address. */
export function optionsAt(url: string, answers: Readonly<Record<string, unknown>> = {}, headers = {}) {
  const asked: WireRequest[] = [];
  const ask = (request: WireRequest): Promise<SideAnswer> => {
    asked.push(request);
    const json = answers[request.url];
    if (json === undefined) return Promise.reject(new ChatError('http', 'Not found', { status: 404 }));
    return Promise.resolve({ headers: new Headers(), json });
  };
  return { asked, options: { ...requestOptions, url, headers, ask } satisfies RequestOptions };
}
export const methodOf = ({ init }: WireRequest): unknown => (init.body as { method?: string }).method;
export const paramsOf = ({ init }: WireRequest) =>
  (init.body as { params: { message: Record<string, unknown> } }).params;
