/**
 * Builds the requests to Dify: messages, files, answers to forms, and stop. Source: `docs/protocols/dify.md`;
 * langgenius/dify.
 */
import { ChatError } from '../../errors.ts';
import type { Media } from '../../model/blocks.ts';
import { siblingUrl, pathSegment, withQuery } from '../shared/request-urls.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { fileName, isInline, sentFiles, toForm, type InlineFile } from '../shared/files/sent-files.ts';
import { APPROVES, DENIES } from '../core/decision-words.ts';
import { newestMetadata, currentMetadata } from '../shared/last-metadata.ts';
import { formSchema, type FormField } from './reply-schema.ts';
import type { Answer, FeedbackInput, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';

/** The tokens of the forms that the server has accepted. */
export type DifyState = readonly string[];

type Options = RequestOptions & { readonly providerState?: DifyState | undefined };

export async function difyRequest(turn: Turn, options: Options): Promise<WireRequest<DifyState>> {
  const { url, headers = {}, system, context } = options;
  const forms = turn.answers.filter(
    ({ extra, decision }) => extra?.['formToken'] !== undefined && decision !== 'dismissed',
  );
  if (forms.length > 0) return answerForms(forms, turn, options);
  const user = userOf(turn, options);
  const conversation = newestMetadata(turn.messages, 'conversationId');
  const files = await Promise.all(sentFiles(turn).map((file) => toWireFile(file, user, options)));
  const inputs = { ...(system && { system }), ...toInputs(context) };
  const workflow = isWorkflow(url);
  // Dify rejects an empty query, so files without text are sent with their names as the query.
  const query = turn.text || sentFiles(turn).map(fileName).join(', ');
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        inputs: workflow || isCompletion(url) ? { query, ...inputs } : inputs,
        ...(!workflow && { query }),
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
  const task = currentMetadata(turn.messages, 'taskId');
  if (task === undefined) return undefined;
  const id = pathSegment(task);
  return {
    url: isWorkflow(url) ? siblingUrl(url, `tasks/${id}/stop`) : siblingUrl(url, `${lastSegment(url)}/${id}/stop`),
    init: { method: 'POST', headers, body: { user: userOf(turn, options) } },
  };
}

/** The request for feedback. Workflow runs have none. Dify stores one rating per message and user; `null` removes it. */
export function difyFeedback(
  { message, value, comment }: FeedbackInput,
  turn: Turn,
  options: RequestOptions,
): WireRequest | undefined {
  const { url, headers = {} } = options;
  const id = message.metadata?.['messageId'];
  if (typeof id !== 'string' || isWorkflow(url)) return undefined;
  const rating = value && ({ up: 'like', down: 'dislike' } as const)[value];
  return {
    url: appUrl(url, `messages/${pathSegment(id)}/feedbacks`),
    init: {
      method: 'POST',
      headers,
      body: { rating, user: userOf(turn, options), ...(comment !== undefined && { content: comment }) },
    },
  };
}

const isWorkflow = (url: string): boolean => /\/workflows\/run\/?$/.test(new URL(url).pathname);
/** An app of the type "text generator" reads the text from its inputs. */
const isCompletion = (url: string): boolean => /\/completion-messages\/?$/.test(new URL(url).pathname);
const lastSegment = (url: string): string => new URL(url).pathname.split('/').findLast(Boolean) ?? '';

/** A URL of the app, relative to the base of `chat-messages`, `completion-messages` or `workflows/run`. */
const appUrl = (url: string, path: string): string => siblingUrl(url, path, isWorkflow(url) ? 2 : 1);

/** The user id, which must be the same in every request: `body.user` of the page, otherwise one per conversation. */
function userOf({ threadId }: Turn, { body }: RequestOptions): string {
  const user = body?.['user'];
  return typeof user === 'string' && user !== '' ? user : `anonymous-${threadId}`;
}

/** Converts `context` to input variables of the app. They are strings, numbers or booleans, so objects are sent as JSON text. */
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
    url: appUrl(url, 'files/upload'),
    init: { method: 'POST', headers, body: toForm({ user }, 'file', [file]) },
  });
  return isRecord(json) ? json['id'] : undefined;
}

/**
 * Submits each form, then requests the rest of the run, because the stream that contained the forms has ended. A form that
 * an earlier attempt has submitted is not submitted again, because the server would refuse it.
 */
async function answerForms(answers: readonly Answer[], turn: Turn, options: Options): Promise<WireRequest<DifyState>> {
  const { url, headers = {}, ask, providerState: submitted = [] } = options;
  const user = userOf(turn, options);
  const forms = Map.groupBy(answers, ({ extra }) => String(extra?.['formToken']));
  for (const [token, answersOfForm] of forms) {
    if (submitted.includes(token)) continue;
    // For the server, all questions with the same token are one form: one denial denies the complete form.
    const answer = answersOfForm.find(isDenial) ?? answersOfForm.at(-1);
    if (!answer) continue;
    await ask({
      url: appUrl(url, `form/human_input/${pathSegment(token)}`),
      init: { method: 'POST', headers, body: { ...toFormAnswer(answer), user } },
    });
  }
  const run = pathSegment(String(answers[0]?.extra?.['runId']));
  return {
    url: withQuery(appUrl(url, `workflow/${run}/events`), { user }),
    init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
    providerState: [...forms.keys()],
  };
}

const isNamed = (pattern: RegExp) => (option: Readonly<Record<string, unknown>>) =>
  [option['value'], option['label']].some((name) => typeof name === 'string' && pattern.test(name));
const [approves, denies] = [isNamed(APPROVES), isNamed(DENIES)];

/**
 * Chooses the button for an answer that names no button:
 *
 * - A text answer: the first button.
 * - An approval: the first button whose name approves, otherwise the first one that does not deny.
 * - A denial: the first button whose name denies, otherwise the last one that does not approve, but not the form's first one.
 *
 * @returns the value of the button; undefined if the form has no buttons
 * @throws ChatError if the form has buttons, but none for this answer
 */
function buttonFor(decision: Answer['decision'], options: readonly Readonly<Record<string, unknown>>[]): unknown {
  if (decision === 'answered') return options[0]?.['value'];
  if (decision === 'granted')
    return buttonValue(options.find(approves) ?? options.find((option) => !denies(option)), options);
  const others = options.filter((option) => !approves(option));
  return buttonValue(others.find(denies) ?? others.filter((option) => option !== options[0]).at(-1), options);
}

function buttonValue(button: Readonly<Record<string, unknown>> | undefined, options: readonly unknown[]): unknown {
  if (button || options.length === 0) return button?.['value'];
  throw new ChatError('agent', 'The form has no button for this answer.', { reason: 'agent' });
}

/** Whether the user denied the form, or chose a button whose name denies. */
function isDenial(answer: Answer): boolean {
  if (answer.decision === 'denied') return true;
  const { action } = toFormAnswer(answer);
  return optionsOf(answer).some((option) => option['value'] === action && denies(option));
}

const optionsOf = ({ extra = {} }: Answer): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(extra['options']) ? extra['options'].filter(isRecord) : [];

/** Below the limits of the form's card (`renderers/forms/schema-to-fields.ts`, `renderers/actions/question.ts`): it shows all fields. */
const MAX_SHOWN = { fields: 50, length: 100_000 };

/**
 * The fields of the answered form. A schema may come from storage, where it could have been changed. It is used only if its
 * card shows exactly these fields, and all of them.
 */
function fieldsOf({ extra = {} }: Answer): readonly FormField[] {
  const text = typeof extra['schema'] === 'string' && extra['schema'].length < MAX_SHOWN.length ? extra['schema'] : '';
  const { action, inputs } = recordIn(parseJson(text), 'properties');
  const fields = Object.entries(recordIn(inputs, 'properties')).map(([name, field]): FormField => {
    const initial = isRecord(field) ? field['default'] : undefined;
    return [name, typeof initial === 'string' ? initial : undefined];
  });
  const actions = isRecord(action) && Array.isArray(action['enum']) ? action['enum'] : [];
  return fields.length <= MAX_SHOWN.fields && JSON.stringify(formSchema(actions, fields)) === text ? fields : [];
}

function recordIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const inner = isRecord(value) ? value[name] : undefined;
  return isRecord(inner) ? inner : {};
}

/**
 * Converts an answer to an action (the value of a button) and form fields. The `payload` is an object with both, an action,
 * or text for the first field. A field that the user has emptied is sent empty, because Dify requires all fields.
 */
function toFormAnswer(answer: Answer): {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly action: unknown;
} {
  const { payload, note, decision } = answer;
  const options = optionsOf(answer);
  const actions = options.map(({ value }) => value);
  const fields = fieldsOf(answer);
  if (isRecord(payload)) {
    const inputs = { ...Object.fromEntries(fields.map(([name]) => [name, ''])), ...recordIn(payload, 'inputs') };
    return { inputs, action: payload['action'] ?? buttonFor(decision, options) };
  }
  const action = actions.includes(payload) ? payload : buttonFor(decision, options);
  const text = note ?? (actions.includes(payload) ? undefined : payload);
  const inputs = fields.map(
    ([name, initial = ''], index) => [name, index === 0 ? (text ?? initial) : initial] as const,
  );
  return { inputs: Object.fromEntries(inputs), action };
}
