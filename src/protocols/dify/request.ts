/** What Dify is sent: the reader's words, files, answers to its forms, and the end. Source: `dify.md`, "Request", "Answering". */
import type { Media } from '../../model/blocks.ts';
import { besideUrl, segment, withQuery } from '../shared/beside-url.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { isInline, sentFiles, toForm, type InlineFile } from '../shared/sent-files.ts';
import { toldBefore, toldNow } from '../shared/told-before.ts';
import type { Answer, Given, RequestOptions, Turn, WireRequest } from '../adapter.ts';

export async function difyRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, headers = {}, system, context } = options;
  const forms = turn.answers.filter(
    ({ extra, decision }) => extra?.['formToken'] !== undefined && decision !== 'dismissed',
  );
  if (forms.length > 0) return answerForms(forms, turn, options);
  const user = userOf(turn, options);
  const conversation = toldBefore(turn.messages, 'conversationId');
  const files = await Promise.all(sentFiles(turn).map((file) => toWireFile(file, user, options)));
  const inputs = { ...(system && { system }), ...toInputs(context) };
  const workflow = isWorkflow(url);
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        inputs: workflow ? { query: turn.text, ...inputs } : inputs,
        ...(!workflow && { query: turn.text }),
        response_mode: 'streaming',
        user,
        ...(!workflow && { conversation_id: conversation ?? '' }),
        ...(files.length > 0 && { files }),
        ...(!workflow && { auto_generate_name: true }),
      },
    },
  };
}

export function difyCancel(turn: Turn, options: RequestOptions): WireRequest | undefined {
  const { url, headers = {} } = options;
  const task = toldNow(turn.messages, 'taskId');
  if (task === undefined) return undefined;
  const id = segment(task);
  return {
    url: isWorkflow(url) ? besideUrl(url, `tasks/${id}/stop`) : besideUrl(url, `${lastSegment(url)}/${id}/stop`),
    init: { method: 'POST', headers, body: { user: userOf(turn, options) } },
  };
}

/** Of messages alone: a workflow run has none. Dify keeps one rating for a message and user; `null` takes it back. */
export function difyFeedback(
  { message, value, comment }: Given,
  turn: Turn,
  options: RequestOptions,
): WireRequest | undefined {
  const { url, headers = {} } = options;
  const id = message.metadata?.['messageId'];
  if (typeof id !== 'string' || isWorkflow(url)) return undefined;
  const rating = value && ({ up: 'like', down: 'dislike' } as const)[value];
  return {
    url: inApp(url, `messages/${segment(id)}/feedbacks`),
    init: {
      method: 'POST',
      headers,
      body: { rating, user: userOf(turn, options), ...(comment !== undefined && { content: comment }) },
    },
  };
}

const isWorkflow = (url: string): boolean => /\/workflows\/run\/?$/.test(new URL(url).pathname);
const lastSegment = (url: string): string => new URL(url).pathname.split('/').findLast(Boolean) ?? '';

/** The app's own address, in front of `chat-messages`, `completion-messages` or `workflows/run`. */
const inApp = (url: string, path: string): string => besideUrl(url, path, isWorkflow(url) ? 2 : 1);

/** It has to be the same in every request: the page's own, else one that lasts as long as the thread. */
function userOf({ threadId }: Turn, { body }: RequestOptions): string {
  const user = body?.['user'];
  return typeof user === 'string' && user !== '' ? user : `anonymous-${threadId}`;
}

/** The app's variables are text, numbers or switches. */
const toInputs = (context: unknown): Readonly<Record<string, unknown>> =>
  context === undefined || context === null
    ? {}
    : Object.fromEntries(
        Object.entries(isRecord(context) ? context : { context }).map(([name, value]) => [
          name,
          typeof value === 'object' ? JSON.stringify(value) : value,
        ]),
      );

async function toWireFile(file: Media, user: string, options: RequestOptions): Promise<object> {
  const type = { image: 'image', audio: 'audio', video: 'video', file: 'document' }[file.kind];
  if (!isInline(file)) return { type, transfer_method: 'remote_url', url: file.url };
  return { type, transfer_method: 'local_file', upload_file_id: await upload(file, user, options) };
}

async function upload(file: InlineFile, user: string, { url, headers = {}, ask }: RequestOptions): Promise<unknown> {
  const { json } = await ask({
    url: inApp(url, 'files/upload'),
    init: { method: 'POST', headers, body: toForm({ user }, 'file', [file]) },
  });
  return isRecord(json) ? json['id'] : undefined;
}

/** The stream that asked is over: each form is handed in, and then the rest of the run is read. */
async function answerForms(answers: readonly Answer[], turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, headers = {}, ask } = options;
  const user = userOf(turn, options);
  for (const answer of answers) {
    await ask({
      url: inApp(url, `form/human_input/${segment(String(answer.extra?.['formToken']))}`),
      init: { method: 'POST', headers, body: { ...toFormAnswer(answer), user } },
    });
  }
  const run = segment(String(answers[0]?.extra?.['runId']));
  return {
    url: withQuery(inApp(url, `workflow/${run}/events`), { user }),
    init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
  };
}

/** An action and the form's fields. A `payload` may be both, an action, or words, which go into the first field. */
function toFormAnswer({ payload, note, decision, extra = {} }: Answer): {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly action: unknown;
} {
  const options = Array.isArray(extra['options']) ? extra['options'].filter(isRecord) : [];
  const actions = options.map(({ value }) => value);
  const defaults = typeof extra['defaults'] === 'string' ? parseJson(extra['defaults']) : {};
  const inputs = isRecord(defaults) ? defaults : {};
  if (isRecord(payload)) {
    const given = isRecord(payload['inputs']) ? payload['inputs'] : {};
    return { inputs: { ...inputs, ...given }, action: payload['action'] ?? actions[0] };
  }
  const action = actions.includes(payload) ? payload : actions.at(decision === 'denied' ? -1 : 0);
  const words = note ?? (actions.includes(payload) ? undefined : payload);
  const field = extra['field'];
  return {
    inputs: { ...inputs, ...(typeof field === 'string' && words !== undefined && { [field]: words }) },
    action,
  };
}
